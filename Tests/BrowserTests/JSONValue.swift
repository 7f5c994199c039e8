import Foundation

/// A JSON value that may go from one task to another.
enum JSONValue: Sendable, Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let c = try decoder.singleValueContainer()
        if c.decodeNil() {
            self = .null
        } else if let value = try? c.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? c.decode(Double.self) {
            self = .number(value)
        } else if let value = try? c.decode(String.self) {
            self = .text(value)
        } else if let value = try? c.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try c.decode([String: JSONValue].self))
        }
    }

    subscript(_ name: String) -> JSONValue { if case .object(let members) = self { members[name] ?? .null } else { .null } }
    subscript(_ index: Int) -> JSONValue {
        if case .list(let items) = self, items.indices.contains(index) { items[index] } else { .null }
    }

    var string: String? { if case .text(let value) = self { value } else { nil } }
    var double: Double? { if case .number(let value) = self { value } else { nil } }
    var bool: Bool { self == .bool(true) }
    var items: [JSONValue] { if case .list(let items) = self { items } else { [] } }
}
