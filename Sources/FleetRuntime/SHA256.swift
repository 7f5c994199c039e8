import CCrypto
import FoundationEssentials

/// SHA-256 (FIPS 180-4) through OpenSSL's libcrypto, fed in pieces.
public struct SHA256: ~Copyable {
    private let context: OpaquePointer?

    /// An empty digest.
    public init() {
        context = EVP_MD_CTX_new()
        if let context { EVP_DigestInit_ex(context, EVP_sha256(), nil) }
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds `data`.
    public mutating func update(_ data: some ContiguousBytes) {
        guard let context else { return }
        data.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The 32 bytes of the digest.
    public consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        if let context { EVP_DigestFinal_ex(context, &digest, nil) }
        return digest
    }

    /// The digest of `data`.
    public static func digest(of data: some ContiguousBytes) -> [UInt8] {
        var hash = SHA256()
        hash.update(data)
        return hash.finish()
    }

    /// `bytes` as lower-case hexadecimal digits.
    public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// The digest of a file's bytes, read in pieces of 1 MiB.
    public static func digest(ofFile path: String) throws -> [UInt8] {
        var hash = SHA256()
        try FilePieces.forEach(of: path) { hash.update($0) }
        return hash.finish()
    }
}
