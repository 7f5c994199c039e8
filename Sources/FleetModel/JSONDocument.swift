import FoundationEssentials

/// A JSON text taken apart (RFC 8259, strictly): its values as places in the bytes, in the order in which they stand.
///
/// Refuses what many parsers let pass and a contract must not: text that is not UTF-8, a key that stands twice (parsers disagree on
/// which one counts), nesting without end, half surrogates. Every message passes here, so it is one pass that allocates two arrays.
final class JSONDocument: Sendable {
    /// Deepest nesting that is read; the contract's own payloads have four levels.
    static let maximumDepth = 32
    /// Most members of one object; the contract's own have fewer than fifty. Bounds the time that comparing keys can take.
    static let maximumMembers = 512

    /// What a value is.
    enum Kind: UInt8, Sendable { case object, array, string, number, yes, no, null }

    /// One value. An object's members follow it, key and value in turn; an array's elements follow it.
    struct Node: Sendable {
        let kind: Kind
        /// Whether a string holds escapes.
        var hasEscape = false
        /// Where its text begins and ends; of a string without the quotation marks.
        var start: Int32
        var end: Int32 = 0
        /// The node behind everything that belongs to this one.
        var next: Int32 = 0
        /// Of a key: FNV-1a of its text with escapes undone.
        var hash: UInt64 = 0
    }

    /// Why a text is refused.
    enum Problem: Error {
        /// It is no JSON.
        case syntax
        /// It is, but not as a contract wants it; in words.
        case structure(String)
    }

    /// The text.
    let bytes: [UInt8]
    /// The values; the first is the outermost.
    let nodes: [Node]

    /// Takes `payload` apart.
    init(_ payload: Data) throws(Problem) {
        bytes = [UInt8](payload)
        // Nearly all payloads are ASCII, which needs no validation.
        guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
            throw .structure("the payload is not UTF-8")
        }
        var parser = JSONParser(bytes)
        nodes = try parser.parse()
    }

    /// The text of a string, escapes undone.
    func text(_ node: Node) -> String {
        let raw = bytes[Int(node.start)..<Int(node.end)]
        return String(decoding: node.hasEscape ? JSONEscapes.undone(raw)[...] : raw, as: UTF8.self)
    }

    /// The value of a member; nil when the object has none of that name.
    func member(_ name: String, of object: Int) -> Int? {
        var name = name
        return name.withUTF8 { wanted in
            let hash = FNV1a.hash(wanted)
            var key = object + 1
            let end = Int(nodes[object].next)
            while key < end {
                if nodes[key].hash == hash, isEqual(nodes[key], wanted) { return key + 1 }
                key = Int(nodes[key + 1].next)
            }
            return nil
        }
    }

    private func isEqual(_ key: Node, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        if key.hasEscape { return JSONEscapes.undone(bytes[Int(key.start)..<Int(key.end)]).elementsEqual(wanted) }
        return bytes[Int(key.start)..<Int(key.end)].elementsEqual(wanted)
    }

    /// What the outermost object's member `schema` says; nil when there is no such text.
    var schema: String? {
        guard nodes[0].kind == .object, let value = member("schema", of: 0), nodes[value].kind == .string else { return nil }
        return text(nodes[value])
    }
}

/// Fowler, Noll and Vo's hash, variant 1a, 64 bits.
enum FNV1a {
    static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    static func add(_ byte: UInt8, to hash: inout UInt64) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = start
        for byte in bytes { add(byte, to: &hash) }
        return hash
    }
}

/// The escapes in a JSON string.
enum JSONEscapes {
    /// `raw` with its escapes undone; they have been found valid.
    static func undone(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var position = raw.startIndex
        while position < raw.endIndex {
            guard raw[position] == UInt8(ascii: "\\"), position + 1 < raw.endIndex else {
                text.append(raw[position])
                position += 1
                continue
            }
            let letter = raw[position + 1]
            position += 2
            guard letter == UInt8(ascii: "u") else {
                text.append(plain(letter) ?? letter)
                continue
            }
            var code = unit(raw, at: position)
            position += 4
            if (0xD800..<0xDC00).contains(code) {
                code = 0x10000 + (code - 0xD800) << 10 + (unit(raw, at: position + 2) - 0xDC00)
                position += 6
            }
            if let scalar = Unicode.Scalar(code) { text += Array(String(Character(scalar)).utf8) }
        }
        return text
    }

    /// What stands for `\letter`; nil when there is no such escape.
    static func plain(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The number of one hexadecimal digit; nil when it is none.
    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 48...57: UInt32(byte) - 48
        case 65...70: UInt32(byte) - 55
        case 97...102: UInt32(byte) - 87
        default: nil
        }
    }

    private static func unit(_ raw: ArraySlice<UInt8>, at position: Int) -> UInt32 {
        raw[position..<position + 4].reduce(0) { $0 << 4 | (digit($1) ?? 0) }
    }
}
