import FoundationEssentials

/// The one way in which payloads become bytes and back: compact JSON, sorted keys, slashes not escaped.
public enum WireCodec {
    /// Largest JSON payload that is read, in bytes; far above any real alert, far below what could hurt.
    public static let maximumPayloadBytes = 64 * 1024

    /// Why a payload could not be read; one line, safe to log and to store.
    public struct Malformed: Error, Hashable, Sendable {
        /// What is wrong and where; one line of at most 300 characters.
        public let reason: String
        /// `reason` cut to 300 characters, control characters replaced: parts of it come from the payload.
        public init(reason: String) {
            let line = reason.unicodeScalars.prefix(300).map { $0.properties.generalCategory.isPlain ? $0 : "?" }
            self.reason = String(String.UnicodeScalarView(line))
        }
    }

    /// The bytes of `value`.
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Reads a `T`; throws `Malformed` for anything that is not one.
    public static func decode<T: Decodable>(_ type: T.Type, from payload: Data) throws(Malformed) -> T {
        try decode(type, from: try document(of: payload))
    }

    /// Reads an alert and checks its ranges.
    public static func decodeAlert(from payload: Data) throws(Malformed) -> Alert {
        try plausible(try decode(Alert.self, from: payload))
    }

    /// What travels on the alert topic.
    public enum AlertTopicMessage: Sendable {
        case alert(Alert)
        case gap(GapEvent)
    }

    /// Reads an alert, its ranges checked, or a gap event, as its `schema` says.
    public static func decodeAlertTopicMessage(from payload: Data) throws(Malformed) -> AlertTopicMessage {
        let document = try document(of: payload)
        if document.schema == GapEvent.schema { return .gap(try decode(GapEvent.self, from: document)) }
        return .alert(try plausible(try decode(Alert.self, from: document)))
    }

    private static func plausible(_ alert: Alert) throws(Malformed) -> Alert {
        if let reason = alert.implausibility { throw Malformed(reason: reason) }
        return alert
    }

    private static func document(of payload: Data) throws(Malformed) -> JSONDocument {
        guard payload.count <= maximumPayloadBytes else {
            throw Malformed(reason: "payload of \(payload.count) bytes is too large")
        }
        do throws(JSONDocument.Problem) { return try JSONDocument(payload) } catch {
            switch error {
            case .syntax: throw Malformed(reason: "not JSON")
            case .structure(let reason): throw Malformed(reason: reason)
            }
        }
    }

    private static func decode<T: Decodable>(_ type: T.Type, from document: JSONDocument) throws(Malformed) -> T {
        do {
            return try T(from: JSONValueDecoder(document: document, node: 0, path: nil))
        } catch let error as DecodingError {
            throw Malformed(reason: describe(error))
        } catch {
            throw Malformed(reason: "not readable")
        }
    }

    private static func describe(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            let keys = context.codingPath + (last.map { [$0] } ?? [])
            return keys.isEmpty ? "the payload" : keys.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(path(context, key)) is missing"
        case .typeMismatch(_, let context): return "\(path(context)) has the wrong type"
        case .valueNotFound(_, let context): return "\(path(context)) is null"
        case .dataCorrupted(let context): return "\(path(context)): \(context.debugDescription)"
        @unknown default: return "not readable"
        }
    }
}

extension Unicode.GeneralCategory {
    /// Whether a character of this kind can stand in a log line without steering a terminal.
    fileprivate var isPlain: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
