import CVision

/// Writes frames into an MP4: H.264 where the build of OpenCV has an encoder, MPEG-4 part 2 otherwise.
///
/// The file is complete once the object is gone. An object belongs to one thread at a time.
public final class VideoWriter {
    private let handle: OpaquePointer

    /// Creates `path`. Width and height must be even.
    public init(path: String, width: Int, height: Int, framesPerSecond: Double) throws(ImagingError) {
        Silence.once
        handle = try ImagingError.make("creating \(path)") {
            vision_writer_open(path, Int32(clamping: width), Int32(clamping: height), framesPerSecond, $0, $1)
        }
    }

    deinit { vision_writer_destroy(handle) }

    /// Appends a frame of the writer's size with three channels.
    public func write(_ frame: borrowing Frame) throws(ImagingError) {
        let image = frame.handle
        try ImagingError.check("writing a frame") { vision_writer_write(handle, image, $0) }
    }
}
