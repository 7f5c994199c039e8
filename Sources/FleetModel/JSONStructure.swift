/// What a JSON parser lets pass and a contract must not: text that is not UTF-8, a key that stands twice, nesting without end.
///
/// Parsers disagree on which of two equal keys counts, so a payload with both would mean one thing to the store and another to a
/// person's script. This looks at structure only; whether the text is JSON at all is the parser's business.
struct JSONStructure {
    /// Deepest nesting that is read; the contract's own payloads have four levels.
    static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0
    /// The keys seen so far of each open object; nil for an open array.
    private var open: [Set<[UInt8]>?] = []

    /// Why `bytes` is refused, or nil.
    static func problem(in bytes: [UInt8]) -> String? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return "the payload is not UTF-8" }
        var scan = JSONStructure(bytes: bytes)
        return scan.run()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() -> String? {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"): open.append(Set())
            case UInt8(ascii: "["): open.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let text = string()
                if isKey, let last = open.indices.last, open[last]?.insert(text).inserted == false {
                    return "\(String(decoding: text, as: UTF8.self)) stands in it twice"
                }
                continue
            default: break
            }
            guard open.count <= Self.maximumDepth else { return "nested deeper than \(Self.maximumDepth) levels" }
            position += 1
        }
        return nil
    }

    /// The bytes between the quotation marks, escapes undone as far as needed to compare keys; leaves `position` behind the string.
    private mutating func string() -> [UInt8] {
        position += 1
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                text += escape()
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        position += 1
        return text
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

    /// Whether a colon follows the string that was just read.
    private var isKey: Bool {
        var next = position
        while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[next]) { next += 1 }
        return next < bytes.count && bytes[next] == UInt8(ascii: ":")
    }
}
