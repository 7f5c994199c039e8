import CVision

/// What a picture or video operation failed at.
public struct ImagingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of failure that callers treat apart.
    public enum Kind: Hashable, Sendable {
        /// File, device or runtime library is not there.
        case notFound
        /// There, but not what it should be.
        case unreadable
        /// An argument is out of range.
        case badArgument
        /// Everything else.
        case failed
    }

    /// The kind.
    public let kind: Kind
    /// What was being done, e.g. `opening a video`.
    public let operation: String
    /// One line from the library; may be empty.
    public let detail: String

    /// `operation: detail`.
    public var description: String { detail.isEmpty ? "\(operation) failed" : "\(operation): \(detail)" }

    init(_ status: vision_status, _ operation: String, _ error: vision_error? = nil) {
        kind =
            switch status {
            case VISION_NOT_FOUND: .notFound
            case VISION_UNREADABLE: .unreadable
            case VISION_BAD_ARGUMENT: .badArgument
            default: .failed
            }
        self.operation = operation
        detail = error.map(Self.text) ?? ""
    }

    static func text(_ error: vision_error) -> String {
        withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Runs a C call and throws what it reports.
    static func check(_ operation: String, _ call: (UnsafeMutablePointer<vision_error>) -> vision_status) throws(ImagingError) {
        var error = vision_error()
        let status = call(&error)
        guard status == VISION_OK else { throw ImagingError(status, operation, error) }
    }

    /// Runs a C call that makes an object and returns it.
    static func make(
        _ operation: String, _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<vision_error>) -> vision_status
    ) throws(ImagingError) -> OpaquePointer {
        var object: OpaquePointer?
        try check(operation) { call(&object, $0) }
        guard let object else { throw ImagingError(VISION_FAILED, operation) }
        return object
    }
}
