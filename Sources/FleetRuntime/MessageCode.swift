import FoundationEssentials

/// HMAC (RFC 2104) with SHA-256: proves to whoever knows the key that a message is whole and comes from someone who knows it too.
public enum MessageCode {
    /// Bytes of SHA-256's block.
    private static let block = 64

    /// The 32 bytes of the code of `message` under `key`.
    public static func hmacSHA256(key: some Sequence<UInt8>, message: Data) -> [UInt8] {
        var key = Array(key)
        if key.count > block { key = SHA256.digest(of: Data(key)) }
        key += [UInt8](repeating: 0, count: block - key.count)
        let inner = SHA256.digest(of: Data(key.map { $0 ^ 0x36 }) + message)
        return SHA256.digest(of: Data(key.map { $0 ^ 0x5C } + inner))
    }
}
