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
        _ = try examinedSchema(of: payload)
        return try decodeExamined(type, from: payload)
    }

    /// Reads an alert and checks its ranges.
    public static func decodeAlert(from payload: Data) throws(Malformed) -> Alert {
        _ = try examinedSchema(of: payload)
        return try plausible(readExamined(payload))
    }

    private static func readExamined(_ payload: Data) throws(Malformed) -> Alert {
        if let alert = Alert(examined: payload) { return alert }
        return try decodeExamined(Alert.self, from: payload)
    }

    /// Reads an alert that a store gives back: it was checked when it came.
    public static func decodeStoredAlert(from payload: Data) throws(Malformed) -> Alert {
        if let alert = Alert(examined: payload) { return alert }
        return try decode(Alert.self, from: payload)
    }

    /// What travels on the alert topic.
    public enum AlertTopicMessage: Sendable {
        case alert(Alert)
        case gap(GapEvent)
    }

    /// Reads an alert, its ranges checked, or a gap event, as its `schema` says.
    public static func decodeAlertTopicMessage(from payload: Data) throws(Malformed) -> AlertTopicMessage {
        if try examinedSchema(of: payload) == GapEvent.schema { return .gap(try decodeExamined(GapEvent.self, from: payload)) }
        return .alert(try plausible(readExamined(payload)))
    }

    private static func plausible(_ alert: Alert) throws(Malformed) -> Alert {
        if let reason = alert.implausibility { throw Malformed(reason: reason) }
        return alert
    }

    /// Looks at size and structure; returns what the payload says it is, nil when it does not say so plainly.
    private static func examinedSchema(of payload: Data) throws(Malformed) -> String? {
        guard payload.count <= maximumPayloadBytes else {
            throw Malformed(reason: "payload of \(payload.count) bytes is too large")
        }
        let (problem, schema) = JSONStructure.examine(payload)
        if let problem { throw Malformed(reason: problem) }
        return schema
    }

    private static func decodeExamined<T: Decodable>(_ type: T.Type, from payload: Data) throws(Malformed) -> T {
        do {
            return try JSONDecoder().decode(type, from: payload)
        } catch let error as DecodingError {
            throw Malformed(reason: describe(error))
        } catch {
            throw Malformed(reason: "not JSON")
        }
    }

    private static func describe(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            let keys = context.codingPath + (last.map { [$0] } ?? [])
            let words = keys.map { key in key.intValue.map { "[\($0)]" } ?? "." + key.stringValue }
            return keys.isEmpty ? "the payload" : String(words.joined().trimmingPrefix("."))
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(path(context, key)) is missing"
        case .typeMismatch(_, let context): return "\(path(context)) has the wrong type"
        case .valueNotFound(_, let context): return "\(path(context)) is null"
        // The decoder does not say which of the two it was.
        case .dataCorrupted(let context) where context.codingPath.isEmpty: return "not JSON, or a number does not fit its member"
        // How the standard library tells of an enumeration, with the type's name.
        case .dataCorrupted(let context) where context.debugDescription.hasPrefix("Cannot initialize"):
            return "\(path(context)) is none of the words allowed"
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
