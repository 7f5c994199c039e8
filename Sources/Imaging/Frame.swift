import CVision

/// A picture in memory: 8-bit samples, one channel (grey) or three (blue, green, red).
///
/// The picture is owned, never shared: it moves from stage to stage and its memory goes with the last owner. That is why the
/// struct is not copyable; `copy()` makes a second picture on purpose.
public struct Frame: ~Copyable, @unchecked Sendable {
    // Sendable: the handle has exactly one owner, and moving the owner moves the handle; no two threads ever hold it.
    let handle: OpaquePointer

    /// A black picture of `width` × `height` pixels, or nil when a size is not 1...32768 or memory is short.
    public init?(width: Int, height: Int, channels: Int = 3) {
        guard let width = Int32(exactly: width), let height = Int32(exactly: height), let channels = Int32(exactly: channels),
            let handle = vision_image_create(width, height, channels)
        else { return nil }
        self.handle = handle
    }

    /// Takes over a handle that CVision made.
    init(adopting handle: OpaquePointer) { self.handle = handle }

    deinit { vision_image_destroy(handle) }

    /// Width in pixels.
    public var width: Int { Int(vision_image_width(handle)) }
    /// Height in pixels.
    public var height: Int { Int(vision_image_height(handle)) }
    /// 1 (grey) or 3 (blue, green, red).
    public var channels: Int { Int(vision_image_channels(handle)) }

    /// A second picture with the same samples, or nil when memory is short.
    public func copy() -> Frame? { vision_image_copy(handle).map { Frame(adopting: $0) } }
}
