/// The grammar of RFC 8259, recursive within the bound on nesting.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var nodes: [JSONDocument.Node] = []
    /// Hashes of the keys of all open objects, the outermost first.
    private var keys: [UInt64] = []
    private var depth = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A value takes about eight bytes.
        nodes.reserveCapacity(bytes.count / 8 + 1)
        keys.reserveCapacity(64)
    }

    /// The values of the whole text.
    mutating func parse() throws(JSONDocument.Problem) -> [JSONDocument.Node] {
        skipBlanks()
        try value()
        skipBlanks()
        guard position == bytes.count else { throw .syntax }
        return nodes
    }

    /// The byte at `position`; 0, which stands in no JSON outside of strings, at the end.
    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func value() throws(JSONDocument.Problem) {
        switch current {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): try string(isKey: false)
        case UInt8(ascii: "t"): try word("true", .yes)
        case UInt8(ascii: "f"): try word("false", .no)
        case UInt8(ascii: "n"): try word("null", .null)
        default: try number()
        }
    }

    private mutating func open(_ kind: JSONDocument.Kind) throws(JSONDocument.Problem) -> Int {
        depth += 1
        guard depth <= JSONDocument.maximumDepth else {
            throw .structure("nested deeper than \(JSONDocument.maximumDepth) levels")
        }
        nodes.append(JSONDocument.Node(kind: kind, start: Int32(position)))
        position += 1
        skipBlanks()
        return nodes.count - 1
    }

    private mutating func close(_ node: Int) {
        position += 1
        depth -= 1
        nodes[node].end = Int32(position)
        nodes[node].next = Int32(nodes.count)
    }

    private mutating func object() throws(JSONDocument.Problem) {
        let node = try open(.object)
        let firstKey = keys.count
        if current != UInt8(ascii: "}") {
            while true {
                guard current == UInt8(ascii: "\"") else { throw .syntax }
                try string(isKey: true)
                try noteKey(since: firstKey)
                skipBlanks()
                guard current == UInt8(ascii: ":") else { throw .syntax }
                position += 1
                skipBlanks()
                try value()
                guard try goesOn(before: UInt8(ascii: "}")) else { break }
            }
        }
        keys.removeSubrange(firstKey...)
        close(node)
    }

    private mutating func noteKey(since firstKey: Int) throws(JSONDocument.Problem) {
        let key = nodes[nodes.count - 1]
        guard !keys[firstKey...].contains(key.hash) else {
            let raw = bytes[Int(key.start)..<Int(key.end)]
            throw .structure("\(String(decoding: JSONEscapes.undone(raw), as: UTF8.self)) stands in it twice")
        }
        guard keys.count - firstKey < JSONDocument.maximumMembers else {
            throw .structure("more than \(JSONDocument.maximumMembers) members in one object")
        }
        keys.append(key.hash)
    }

    private mutating func array() throws(JSONDocument.Problem) {
        let node = try open(.array)
        if current != UInt8(ascii: "]") {
            repeat { try value() } while try goesOn(before: UInt8(ascii: "]"))
        }
        close(node)
    }

    /// Whether another element or member follows; false at `end`.
    private mutating func goesOn(before end: UInt8) throws(JSONDocument.Problem) -> Bool {
        skipBlanks()
        if current == end { return false }
        guard current == UInt8(ascii: ",") else { throw .syntax }
        position += 1
        skipBlanks()
        return true
    }

    private mutating func string(isKey: Bool) throws(JSONDocument.Problem) {
        var node = JSONDocument.Node(kind: .string, start: Int32(position + 1))
        position += 1
        while true {
            guard position < bytes.count, bytes[position] >= 0x20 else { throw .syntax }
            if bytes[position] == UInt8(ascii: "\"") { break }
            if bytes[position] == UInt8(ascii: "\\") {
                node.hasEscape = true
                try escape()
            } else {
                position += 1
            }
        }
        node.end = Int32(position)
        position += 1
        if isKey {
            let raw = bytes[Int(node.start)..<Int(node.end)]
            node.hash = node.hasEscape ? FNV1a.hash(JSONEscapes.undone(raw)) : FNV1a.hash(raw)
        }
        node.next = Int32(nodes.count + 1)
        nodes.append(node)
    }

    private mutating func escape() throws(JSONDocument.Problem) {
        position += 1
        if current != UInt8(ascii: "u") {
            guard JSONEscapes.plain(current) != nil else { throw .syntax }
            position += 1
            return
        }
        let unit = try codeUnit()
        guard (0xD800..<0xE000).contains(unit) else { return }
        // The first half of a character beyond 16 bits, and then its second.
        guard unit < 0xDC00, current == UInt8(ascii: "\\") else { throw .syntax }
        position += 1
        guard current == UInt8(ascii: "u"), (0xDC00..<0xE000).contains(try codeUnit()) else { throw .syntax }
    }

    /// The four digits behind `u`.
    private mutating func codeUnit() throws(JSONDocument.Problem) -> UInt32 {
        position += 1
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = JSONEscapes.digit(current) else { throw .syntax }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    private mutating func number() throws(JSONDocument.Problem) {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if current == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        append(.number, from: start)
    }

    private mutating func digits() throws(JSONDocument.Problem) {
        let start = position
        while (48...57).contains(current) { position += 1 }
        guard position > start else { throw .syntax }
    }

    private mutating func word(_ word: StaticString, _ kind: JSONDocument.Kind) throws(JSONDocument.Problem) {
        let start = position
        let isThere = word.withUTF8Buffer { wanted in
            start + wanted.count <= bytes.count && bytes[start..<start + wanted.count].elementsEqual(wanted)
        }
        guard isThere else { throw .syntax }
        position += word.utf8CodeUnitCount
        append(kind, from: start)
    }

    private mutating func append(_ kind: JSONDocument.Kind, from start: Int) {
        nodes.append(JSONDocument.Node(kind: kind, start: Int32(start), end: Int32(position), next: Int32(nodes.count + 1)))
    }
}
