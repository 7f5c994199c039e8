import FleetModel
import FoundationEssentials

/// JSON Lines of the commands.
enum JSONText {
    static func line(_ value: some Encodable) throws -> String { String(decoding: try WireCodec.encode(value), as: UTF8.self) }
}
