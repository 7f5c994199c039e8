import FoundationEssentials

/// The one way in which payloads become bytes and back: compact JSON, sorted keys, slashes not escaped.
public enum WireCodec {
    /// Largest JSON payload that is read, in bytes; far above any real alert, far below what could hurt.
    public static let maximumPayloadBytes = 64 * 1024

    /// Why a payload could not be read; one line, safe to log and to store.
    public struct Malformed: Error, Hashable, Sendable {
        /// What is wrong and where.
        public var reason: String
        /// `reason` as given.
        public init(reason: String) { self.reason = reason }
    }

    /// The bytes of `value`.
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Reads a `T`; throws `Malformed` for anything that is not one.
    public static func decode<T: Decodable>(_ type: T.Type, from payload: Data) throws(Malformed) -> T {
        guard payload.count <= maximumPayloadBytes else {
            throw Malformed(reason: "payload of \(payload.count) bytes is too large")
        }
        do {
            return try JSONDecoder().decode(type, from: payload)
        } catch let error as DecodingError {
            throw Malformed(reason: describe(error))
        } catch {
            throw Malformed(reason: "not JSON")
        }
    }

    /// Reads an alert and checks its ranges.
    public static func decodeAlert(from payload: Data) throws(Malformed) -> Alert {
        let alert = try decode(Alert.self, from: payload)
        if let reason = alert.implausibility { throw Malformed(reason: reason) }
        return alert
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
        case .dataCorrupted(let context): return "\(path(context)): \(context.debugDescription)".replacing("\n", with: " ")
        @unknown default: return "not readable"
        }
    }
}
