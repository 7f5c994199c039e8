/// The elements and texts of an XML document, one after another, as far as track files need it: no entities of its own, no schema.
///
/// A pull parser over bytes. Anything that is no markup is text; what is damaged ends the document.
struct MarkupScanner {
    enum Event: Hashable {
        /// An element begins; the name without its prefix.
        case start(String, attributes: [String: String])
        case end(String)
        case text(String)
    }

    /// Longest element or text, bytes.
    private static let maximumBytes = 64 * 1024

    private let bytes: [UInt8]
    private var at = 0
    /// The end of an element that closes itself, told next.
    private var pendingEnd: String?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Number of the line at which the scanner stands, from 1.
    var lineNumber: Int { bytes[..<min(at, bytes.count)].reduce(1) { $1 == 10 ? $0 + 1 : $0 } }

    /// The next event; nil at the end, or where the document cannot be read on.
    mutating func next() -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                let end = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                defer { at = end }
                guard end - at <= Self.maximumBytes else { continue }
                return .text(Self.plain(bytes[at..<end]))
            }
            if skip("<!--", through: "-->") || skip("<?", through: "?>") { continue }
            if starts("<![CDATA[") {
                let start = at + 9
                guard let end = find("]]>", from: start) else { return nil }
                at = end + 3
                return .text(String(decoding: bytes[start..<end], as: UTF8.self))
            }
            if skip("<!", through: ">") { continue }
            return element()
        }
        return nil
    }

    private mutating func element() -> Event? {
        guard let end = find(">", from: at), end - at <= Self.maximumBytes else {
            at = bytes.count
            return nil
        }
        var inner = bytes[(at + 1)..<end]
        at = end + 1
        if inner.first == UInt8(ascii: "/") { return .end(Self.name(inner.dropFirst())) }
        let closesItself = inner.last == UInt8(ascii: "/")
        if closesItself { inner = inner.dropLast() }
        let name = Self.name(inner)
        if closesItself { pendingEnd = name }
        return .start(name, attributes: Self.attributes(inner))
    }

    /// The name without its prefix, up to a blank.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        let whole = bytes.prefix { !isBlank($0) }
        let local = whole.lastIndex(of: UInt8(ascii: ":")).map { whole[(whole.index(after: $0))...] } ?? whole
        return String(decoding: local, as: UTF8.self)
    }

    private static func attributes(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = bytes.drop { !isBlank($0) }
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let key = rest[..<equals].drop(while: isBlank).prefix { !isBlank($0) }
            let value = rest[rest.index(after: equals)...].drop(while: isBlank)
            guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { break }
            guard let end = value.dropFirst().firstIndex(of: quote) else { break }
            attributes[String(decoding: key, as: UTF8.self)] = plain(value[(value.startIndex + 1)..<end])
            rest = value[(end + 1)...]
        }
        return attributes
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

    private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("&") else { return text }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")].reduce(text) { result, pair in
            result.split(separator: pair.0, omittingEmptySubsequences: false).joined(separator: pair.1)
        }
    }

    private func starts(_ text: StaticString) -> Bool {
        let pattern = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return at + pattern.count <= bytes.count && bytes[at..<(at + pattern.count)].elementsEqual(pattern)
    }

    private func find(_ text: StaticString, from start: Int) -> Int? {
        let pattern = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var place = start
        while place + pattern.count <= bytes.count {
            guard let next = bytes[place...].firstIndex(of: pattern[0]), next + pattern.count <= bytes.count else { return nil }
            if bytes[next..<(next + pattern.count)].elementsEqual(pattern) { return next }
            place = next + 1
        }
        return nil
    }

    private mutating func skip(_ opening: StaticString, through closing: StaticString) -> Bool {
        guard starts(opening) else { return false }
        at = find(closing, from: at + opening.utf8CodeUnitCount).map { $0 + closing.utf8CodeUnitCount } ?? bytes.count
        return true
    }
}
