import CYAML
import FleetModel

/// A parsed YAML value that knows its line: what configuration is read from.
public indirect enum YAMLNode: Sendable {
    /// Plain or quoted text; `isQuoted` tells the two apart, so that `"50"` is no number.
    case scalar(String, isQuoted: Bool, line: Int)
    case sequence([YAMLNode], line: Int)
    case mapping([(key: String, line: Int, value: YAMLNode)], line: Int)

    /// Line in the file, from 1.
    public var line: Int {
        switch self {
        case .scalar(_, _, let line), .sequence(_, let line), .mapping(_, let line): line
        }
    }

    /// Parses one YAML document of at most 1 MiB through libyaml.
    ///
    /// Refused, each with file and line: syntax errors, anchors and aliases (they can blow a small file up), duplicate keys, keys
    /// that are not text, nesting deeper than 16, a second document.
    public static func parse(_ text: [UInt8], file: String) throws -> YAMLNode {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else { throw UserError(.software, "\(file): out of memory") }
        defer { yaml_parser_delete(&parser) }
        return try text.withUnsafeBufferPointer { bytes in
            yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
            var reader = YAMLEventReader(file: file, text: text)
            return try reader.readDocument(&parser)
        }
    }
}

/// Turns libyaml's events into nodes; recursion is bounded by the depth limit.
private struct YAMLEventReader {
    let file: String
    let text: [UInt8]
    static let maximumDepth = 16

    func fail(_ line: Int, _ what: String) -> UserError { UserError(.configuration, "\(file):\(line): \(what)") }

    func next(_ parser: inout yaml_parser_t) throws -> yaml_event_t {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else {
            let problem = parser.problem.map { String(cString: $0) } ?? "not YAML"
            let line = problemLine(parser)
            throw fail(line, isIndentedByTab(line) ? "a tab; indent with blanks" : problem)
        }
        return event
    }

    private func isIndentedByTab(_ number: Int) -> Bool {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.indices.contains(number - 1) else { return false }
        return lines[number - 1].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.contains(UInt8(ascii: "\t"))
    }

    /// Line of what the parser stumbled over; for bytes that are not text it knows only their offset.
    private func problemLine(_ parser: yaml_parser_t) -> Int {
        guard parser.error == YAML_READER_ERROR else { return Int(parser.problem_mark.line) + 1 }
        return text.prefix(parser.problem_offset).count { $0 == UInt8(ascii: "\n") } + 1
    }

    mutating func readDocument(_ parser: inout yaml_parser_t) throws -> YAMLNode {
        var root: YAMLNode?
        while true {
            var event = try next(&parser)
            defer { yaml_event_delete(&event) }
            switch event.type {
            case YAML_STREAM_END_EVENT: return root ?? .mapping([], line: 1)
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
            case YAML_DOCUMENT_START_EVENT:
                guard root == nil else { throw fail(Int(event.start_mark.line) + 1, "a second YAML document; one is allowed") }
            default: root = try readNode(event, &parser, depth: 0)
            }
        }
    }

    mutating func readNode(_ event: yaml_event_t, _ parser: inout yaml_parser_t, depth: Int) throws -> YAMLNode {
        let line = Int(event.start_mark.line) + 1
        guard depth < Self.maximumDepth else { throw fail(line, "nested deeper than \(Self.maximumDepth) levels") }
        switch event.type {
        case YAML_ALIAS_EVENT: throw fail(line, "aliases are not allowed here")
        case YAML_SCALAR_EVENT:
            guard event.data.scalar.anchor == nil else { throw fail(line, "anchors are not allowed here") }
            return .scalar(text(of: event), isQuoted: event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE, line: line)
        case YAML_SEQUENCE_START_EVENT:
            guard event.data.sequence_start.anchor == nil else { throw fail(line, "anchors are not allowed here") }
            var items: [YAMLNode] = []
            while true {
                var inner = try next(&parser)
                defer { yaml_event_delete(&inner) }
                if inner.type == YAML_SEQUENCE_END_EVENT { return .sequence(items, line: line) }
                items.append(try readNode(inner, &parser, depth: depth + 1))
            }
        case YAML_MAPPING_START_EVENT:
            guard event.data.mapping_start.anchor == nil else { throw fail(line, "anchors are not allowed here") }
            return try readMapping(&parser, line: line, depth: depth)
        default: throw fail(line, "unexpected YAML")
        }
    }

    private mutating func readMapping(_ parser: inout yaml_parser_t, line: Int, depth: Int) throws -> YAMLNode {
        var entries: [(key: String, line: Int, value: YAMLNode)] = []
        var known: Set<String> = []
        while true {
            var keyEvent = try next(&parser)
            defer { yaml_event_delete(&keyEvent) }
            if keyEvent.type == YAML_MAPPING_END_EVENT { return .mapping(entries, line: line) }
            let keyLine = Int(keyEvent.start_mark.line) + 1
            guard keyEvent.type == YAML_SCALAR_EVENT else { throw fail(keyLine, "a key must be text") }
            guard keyEvent.data.scalar.anchor == nil else { throw fail(keyLine, "anchors are not allowed here") }
            let key = text(of: keyEvent)
            guard known.insert(key).inserted else { throw fail(keyLine, "\(key) stands here twice") }
            var valueEvent = try next(&parser)
            defer { yaml_event_delete(&valueEvent) }
            entries.append((key, keyLine, try readNode(valueEvent, &parser, depth: depth + 1)))
        }
    }

    private func text(of event: yaml_event_t) -> String {
        let scalar = event.data.scalar
        return String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    }
}
