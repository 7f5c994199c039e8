import FleetModel
import Glibc

/// One mapping of a configuration file. Getters return typed, range-checked values and remember which keys were asked for.
///
/// Every error names file, line, key path and what is allowed. Not for use from two threads.
public final class ConfigurationSection {
    /// The file, as it was named by the user.
    public let file: String
    /// Dotted path of this section, empty for the root.
    public let path: String
    /// Line of the mapping, from 1.
    public let line: Int
    private let entries: [(key: String, line: Int, value: YAMLNode)]
    private var asked: Set<String> = []
    private var opened: [ConfigurationSection] = []

    init(node: YAMLNode, file: String, path: String) throws {
        self.file = file
        self.path = path
        line = node.line
        switch node {
        case .mapping(let entries, _): self.entries = entries
        case .scalar("", false, _): entries = []
        default:
            throw UserError(
                .configuration, "\(file):\(node.line): \(path.isEmpty ? "the file" : path) must be a mapping (key: value)")
        }
    }

    /// Whether `key` stands in the file.
    public func has(_ key: String) -> Bool { entries.contains { $0.key == key } }
    /// The keys in the file's order; asking for them does not count as knowing them.
    public var keys: [String] { entries.map(\.key) }

    /// Whether the value of `key` is a text, not a section or a list; asking does not count as knowing the key.
    public func isText(_ key: String) -> Bool {
        guard let entry = entries.first(where: { $0.key == key }), case .scalar(let text, _, _) = entry.value else { return false }
        return !text.isEmpty
    }

    /// An error at `key` that says what is wrong.
    public func error(_ key: String, _ what: String) -> UserError {
        let line = entries.first { $0.key == key }?.line ?? self.line
        return UserError(.configuration, "\(file):\(line): \(dotted(key)): \(what)")
    }

    /// The section under `key`; an empty one when it is not there, so that defaults apply.
    public func section(_ key: String) throws -> ConfigurationSection {
        let node = take(key) ?? .mapping([], line: line)
        let section = try ConfigurationSection(node: node, file: file, path: dotted(key))
        opened.append(section)
        return section
    }

    /// The sections of the list under `key`; none when it is not there.
    public func sections(_ key: String) throws -> [ConfigurationSection] {
        guard let node = take(key) else { return [] }
        guard case .sequence(let items, _) = node else { throw error(key, "must be a list") }
        let sections = try items.enumerated().map { try ConfigurationSection(node: $1, file: file, path: "\(dotted(key))[\($0)]") }
        opened += sections
        return sections
    }

    /// Text; nil when absent.
    public func string(_ key: String, maximumLength: Int = 4096) throws -> String? {
        guard let node = take(key) else { return nil }
        guard case .scalar(let text, let quoted, _) = node, quoted || !text.isEmpty else { throw error(key, "must be text") }
        guard text.utf8.count <= maximumLength, !text.contains("\0") else {
            throw error(key, "must be at most \(maximumLength) bytes of text")
        }
        return text
    }

    /// Text that must be there.
    public func requiredString(_ key: String) throws -> String {
        guard let text = try string(key) else { throw UserError(.configuration, "\(file):\(line): \(dotted(key)) is missing") }
        return text
    }

    /// A list of texts; nil when absent.
    public func strings(_ key: String) throws -> [String]? {
        guard let node = take(key) else { return nil }
        guard case .sequence(let items, _) = node else { throw error(key, "must be a list") }
        return try items.map {
            guard case .scalar(let text, _, _) = $0 else { throw error(key, "must be a list of texts") }
            return text
        }
    }

    /// One of the raw values of `T`; nil when absent.
    public func choice<T: RawRepresentable & CaseIterable>(_ key: String, _ type: T.Type) throws -> T? where T.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let value = T(rawValue: text) else {
            throw error(key, "is \"\(text)\"; allowed are \(T.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    /// `true` or `false`; nil when absent.
    public func bool(_ key: String) throws -> Bool? {
        guard let node = take(key) else { return nil }
        switch node {
        case .scalar("true", false, _): return true
        case .scalar("false", false, _): return false
        default: throw error(key, "must be true or false")
        }
    }

    /// A whole number within `range`; nil when absent.
    public func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let node = take(key) else { return nil }
        guard case .scalar(let text, false, _) = node, Self.isDecimal(text), let value = Int(text), range.contains(value) else {
            throw error(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// A number within `range`; nil when absent.
    public func number(_ key: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let node = take(key) else { return nil }
        guard case .scalar(let text, false, _) = node, Self.isDecimal(text), let value = Double(text), range.contains(value) else {
            throw error(key, "must be a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))")
        }
        return value
    }

    /// A list of numbers of the given count; nil when absent.
    public func numbers(_ key: String, count: Int) throws -> [Double]? {
        guard let texts = try strings(key) else { return nil }
        let values = texts.filter(Self.isDecimal).compactMap(Double.init).filter(\.isFinite)
        guard values.count == count, texts.count == count else { throw error(key, "must be a list of \(count) numbers") }
        return values
    }

    /// A length of time such as `"3 s"`, within `range` seconds; nil when absent.
    public func duration(_ key: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let text = try quantity(key) else { return nil }
        guard let seconds = Quantity.seconds(text), range.contains(seconds) else {
            throw error(
                key,
                "is \"\(text)\"; give a time with its unit (ms, s, min, h, d) from \(Self.plain(range.lowerBound)) s to \(Self.plain(range.upperBound)) s, e.g. \"3 s\""
            )
        }
        return seconds
    }

    /// A speed such as `"50 km/h"`, within `range` m/s; nil when absent.
    public func speed(_ key: String, in range: ClosedRange<Double>) throws -> Speed? {
        guard let text = try quantity(key) else { return nil }
        guard let speed = Quantity.speed(text), range.contains(speed.metresPerSecond) else {
            let kmh = { Self.plain(($0 * 3.6).rounded()) }
            throw error(
                key,
                "is \"\(text)\"; give a speed with its unit (km/h, mph, kn, m/s) from \(kmh(range.lowerBound)) to \(kmh(range.upperBound)) km/h, e.g. \"50 km/h\""
            )
        }
        return speed
    }

    /// A size such as `"256 MiB"`, within `range` bytes; nil when absent.
    public func byteCount(_ key: String, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = try quantity(key) else { return nil }
        guard let bytes = Quantity.bytes(text), range.contains(bytes) else {
            throw error(
                key,
                "is \"\(text)\"; give a size with its unit (B, KiB, MiB, GiB) from \(range.lowerBound) to \(range.upperBound) bytes, e.g. \"256 MiB\""
            )
        }
        return bytes
    }

    /// A path; a relative one refers to the folder of the configuration file. Nil when absent.
    public func path(_ key: String) throws -> String? {
        guard let text = try string(key) else { return nil }
        return FilePath.resolve(text, from: FilePath.folder(of: file))
    }

    /// As `path`, of a file that can be read. Nil when absent.
    public func readableFile(_ key: String) throws -> String? {
        guard let path = try path(key) else { return nil }
        guard access(path, R_OK) == 0 else { throw error(key, "\(path): \(String(cString: strerror(errno)))") }
        return path
    }

    /// Refuses keys that were never asked for, here and in the sections opened from here.
    public func finish() throws {
        if let stray = entries.first(where: { !asked.contains($0.key) }) {
            let known = asked.sorted().joined(separator: ", ")
            throw UserError(.configuration, "\(file):\(stray.line): unknown key \(dotted(stray.key)); allowed here are \(known)")
        }
        for section in opened { try section.finish() }
    }

    private func quantity(_ key: String) throws -> String? {
        guard let node = take(key) else { return nil }
        guard case .scalar(let text, _, _) = node else { throw error(key, "must be a text with a unit") }
        return text
    }

    private func take(_ key: String) -> YAMLNode? {
        asked.insert(key)
        return entries.first { $0.key == key }?.value
    }

    private func dotted(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// Whether `text` is a number as people write it: the library would also read `0x10`, `+5`, `inf` and `nan`.
    private static func isDecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy { (48...57).contains($0) || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e")].contains($0) }
    }

    private static func plain(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
