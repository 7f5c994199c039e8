import FleetModel
import FleetRuntime
import Foundation

/// Finds alerts in the bytes of a broken database or its log, without its structure: an alert is JSON in one piece as long as it fits a page.
///
/// What was delivered and deleted long ago may be found too; it is sent once more and the server answers `duplicate`.
enum PayloadCarver {
    /// How every payload begins: keys are sorted.
    private static let beginning = Array("{\"at\":\"".utf8)

    /// An alert and its bytes.
    typealias Found = (alert: Alert, payload: Data)

    /// The alerts of `identity` in the file at `path`, in their order; one may occur twice.
    static func alerts(inFile path: String, of identity: VehicleIdentity) -> [Found] {
        var carry: [UInt8] = []
        var found: [Found] = []
        // A file that cannot be read to its end gives what was read.
        try? FilePieces.forEach(of: path) { piece in
            carry += piece
            found += alerts(in: carry, of: identity)
            // What begins near the end may go on in the next piece.
            carry = Array(carry.suffix(WireCodec.maximumPayloadBytes))
        }
        return found
    }

    /// The alerts of `identity` in `bytes`, in their order.
    static func alerts(in bytes: [UInt8], of identity: VehicleIdentity) -> [Found] {
        bytes.ranges(of: beginning).compactMap { range in
            guard let end = objectEnd(in: bytes, from: range.lowerBound) else { return nil }
            let payload = Data(bytes[range.lowerBound..<end])
            guard let alert = try? WireCodec.decodeAlert(from: payload), alert.identity == identity else { return nil }
            return (alert, payload)
        }
    }

    /// Where the JSON object that begins at `start` ends; nil when it does not within the size of a payload.
    private static func objectEnd(in bytes: [UInt8], from start: Int) -> Int? {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for i in start..<min(bytes.count, start + WireCodec.maximumPayloadBytes) {
            let byte = bytes[i]
            // Control characters never stand in our JSON: a page's end or its neighbour has been reached.
            if byte < 0x20 { return nil }
            if isEscaped {
                isEscaped = false
            } else if isInString {
                if byte == 0x5C { isEscaped = true }
                if byte == 0x22 { isInString = false }
            } else if byte == 0x22 {
                isInString = true
            } else if byte == 0x7B {
                depth += 1
            } else if byte == 0x7D {
                depth -= 1
                if depth == 0 { return i + 1 }
            }
        }
        return nil
    }
}
