import FoundationEssentials

/// What a JSON parser lets pass and a contract must not: text that is not UTF-8, a key that stands twice, nesting without end.
///
/// Parsers disagree on which of two equal keys counts, so a payload with both would mean one thing to the store and another to a
/// person's script. This looks at structure only; whether the text is JSON at all is the parser's business. Every message passes here:
/// one pass over the bytes, keys compared by their 64-bit hash (FNV-1a), nothing allocated a key.
struct JSONStructure {
    /// Deepest nesting that is read; the contract's own payloads have four levels.
    static let maximumDepth = 32
    /// Most members of one object; the contract's own have fewer than fifty. Bounds the time that comparing keys can take.
    static let maximumMembers = 512

    /// The value of the outermost object's member `schema`, as it is written; nil where it is none, or holds an escape.
    private(set) var schema: String?

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// Hashes of the keys of all open objects, the outermost first.
    private var keys: [UInt64] = []
    /// Where in `keys` each open object begins; -1 for an open array.
    private var open: [Int] = []
    private var isSchemaNext = false

    /// Why `payload` is refused, or nil; and what it says it is.
    static func examine(_ payload: Data) -> (problem: String?, schema: String?) {
        payload.withUnsafeBytes { raw in
            let bytes = raw.bindMemory(to: UInt8.self)
            // Nearly all payloads are ASCII, which needs no validation.
            guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
                return ("the payload is not UTF-8", nil)
            }
            var scan = JSONStructure(bytes: bytes)
            return (scan.run(), scan.schema)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        keys.reserveCapacity(64)
        open.reserveCapacity(8)
    }

    private mutating func run() -> String? {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"): open.append(keys.count)
            case UInt8(ascii: "["): open.append(-1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let begin = open.popLast(), begin >= 0 { keys.removeSubrange(begin...) }
            case UInt8(ascii: "\""):
                if let problem = takeString() { return problem }
                continue
            default: break
            }
            guard open.count <= Self.maximumDepth else { return "nested deeper than \(Self.maximumDepth) levels" }
            position += 1
        }
        return nil
    }

    private mutating func takeString() -> String? {
        let start = position + 1
        let (hash, end, isPlain) = string()
        if isSchemaNext, isPlain { schema = String(decoding: bytes[start..<end], as: UTF8.self) }
        isSchemaNext = false
        guard isKey, let begin = open.last, begin >= 0 else { return nil }
        guard !keys[begin...].contains(hash) else { return "\(text(start, end)) stands in it twice" }
        guard keys.count - begin < Self.maximumMembers else { return "more than \(Self.maximumMembers) members in one object" }
        keys.append(hash)
        isSchemaNext = open.count == 1 && hash == Self.schemaHash
        return nil
    }

    private static let schemaHash = "schema".utf8.reduce(offset) { ($0 ^ UInt64($1)) &* prime }
    private static let offset: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01B3

    /// Reads a string: the hash of its bytes, escapes undone as far as needed to compare keys, and where it ends; leaves `position` behind
    /// it. `isPlain` when it holds no escape.
    private mutating func string() -> (hash: UInt64, end: Int, isPlain: Bool) {
        position += 1
        var hash = Self.offset
        var isPlain = true
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                isPlain = false
                for byte in escape() { hash = (hash ^ UInt64(byte)) &* Self.prime }
            } else {
                hash = (hash ^ UInt64(bytes[position])) &* Self.prime
                position += 1
            }
        }
        let end = min(position, bytes.count)
        position += 1
        return (hash, end, isPlain)
    }

    private mutating func escape() -> [UInt8] {
        guard position + 1 < bytes.count else {
            position += 1
            return []
        }
        let letter = bytes[position + 1]
        guard letter == UInt8(ascii: "u"), position + 6 <= bytes.count,
            let code = UInt32(String(decoding: bytes[position + 2..<position + 6], as: UTF8.self), radix: 16)
        else {
            position += 2
            return #""\/"#.utf8.contains(letter) ? [letter] : [UInt8(ascii: "\\"), letter]
        }
        position += 6
        // A surrogate stays as it is written: two keys that differ only in how they write one are both unknown to the contract.
        return Unicode.Scalar(code).map { Array(String(Character($0)).utf8) } ?? Array("\\u\(code)".utf8)
    }

    /// The string from `start` to `end` for a person, escapes undone.
    private func text(_ start: Int, _ end: Int) -> String {
        var copy = self
        copy.position = start
        var text: [UInt8] = []
        while copy.position < end {
            if bytes[copy.position] == UInt8(ascii: "\\") {
                text += copy.escape()
            } else {
                text.append(bytes[copy.position])
                copy.position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a colon follows the string that was just read.
    private var isKey: Bool {
        var next = position
        while next < bytes.count, Self.isBlank(bytes[next]) { next += 1 }
        return next < bytes.count && bytes[next] == UInt8(ascii: ":")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
