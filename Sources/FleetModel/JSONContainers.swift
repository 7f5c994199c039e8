/// The members of an object, decoded by name.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        var keys: [Key] = []
        var key = decoder.node + 1
        while key < decoder.document.nodes[decoder.node].next {
            if let known = Key(stringValue: decoder.document.text(decoder.document.nodes[key])) { keys.append(known) }
            key = Int(decoder.document.nodes[key + 1].next)
        }
        return keys
    }

    private func find(_ key: Key) -> JSONValueDecoder? {
        decoder.document.member(key.stringValue, of: decoder.node).map {
            JSONValueDecoder(document: decoder.document, node: $0, path: JSONPath(decoder.path, key))
        }
    }

    private func required(_ key: Key) throws -> JSONValueDecoder {
        guard let found = find(key) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "is missing"))
        }
        return found
    }

    /// Nil when the member is missing or null.
    private func present(_ key: Key) -> JSONValueDecoder? { find(key).flatMap { $0.isNull ? nil : $0 } }

    func contains(_ key: Key) -> Bool { decoder.document.member(key.stringValue, of: decoder.node) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try required(key).isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key).string() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(key).double() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try required(key).double()) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try required(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try required(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try required(key).integer(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try required(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try required(key).integer(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try required(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try required(key).integer(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try required(key).integer(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try required(key).integer(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try required(key).integer(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try required(key).decode(type) }

    // The defaults would look for the member three times.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key)?.string() }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key)?.double() }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key)?.integer(type) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try present(key)?.decode(type) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try required(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try required(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try required(key) }
}

/// The elements of an array, one after the other.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    private let decoder: JSONValueDecoder
    /// The nodes of the elements.
    private let elements: [Int]
    private(set) var currentIndex = 0

    init(decoder: JSONValueDecoder) {
        self.decoder = decoder
        var found: [Int] = []
        var node = decoder.node + 1
        while node < decoder.document.nodes[decoder.node].next {
            found.append(node)
            node = Int(decoder.document.nodes[node].next)
        }
        elements = found
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    /// Decodes the next element; stays on it when that fails, as the protocol wants.
    private mutating func next<T>(_ decode: (JSONValueDecoder) throws -> T) throws -> T {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(T.self, .init(codingPath: codingPath, debugDescription: "has too few elements"))
        }
        let path = JSONPath(decoder.path, JSONIndex(currentIndex))
        let value = try decode(JSONValueDecoder(document: decoder.document, node: elements[currentIndex], path: path))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, decoder.document.nodes[elements[currentIndex]].kind == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.string() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.double() } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next { Float(try $0.double()) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.integer(type) } }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.container(keyedBy: type) }
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next { try $0.unkeyedContainer() } }
    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}

/// One value by itself.
struct JSONSingleValueContainer: SingleValueDecodingContainer {
    let decoder: JSONValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    func decodeNil() -> Bool { decoder.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
    func decode(_ type: String.Type) throws -> String { try decoder.string() }
    func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
    func decode(_ type: Float.Type) throws -> Float { Float(try decoder.double()) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}
