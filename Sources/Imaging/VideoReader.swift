import CVision

/// Frames of a video file, a stream or a camera, one after another, with their presentation times.
///
/// `next` blocks; an object belongs to one thread at a time.
public final class VideoReader {
    /// Where frames come from.
    public enum Source: Hashable, Sendable {
        /// A video file, or an `rtsp://` or `http://` URL.
        case stream(String)
        /// A V4L2 device such as `/dev/video0`, and what is asked of it; nil leaves the choice to the device.
        case camera(device: String, width: Int?, height: Int?, framesPerSecond: Double?)
    }

    /// What the container or the device says of itself.
    public struct Info: Hashable, Sendable {
        /// Pixels.
        public let width: Int
        public let height: Int
        /// Nil when unknown.
        public let framesPerSecond: Double?
        /// Nil when unknown; may be wrong for a truncated file.
        public let frameCount: Int?
    }

    /// A frame and its time.
    public struct TimedFrame: ~Copyable {
        /// The picture, three channels.
        public var frame: Frame
        /// Presentation time in s since the container's zero.
        public let timeS: Double

        /// Gives the picture away.
        public consuming func takeFrame() -> Frame { frame }
    }

    private let handle: OpaquePointer

    /// Opens `source`. A stream that does not answer within `timeoutS` seconds fails, now and at every later frame.
    public init(_ source: Source, timeoutS: Double = 10) throws(ImagingError) {
        Silence.once
        handle = try ImagingError.make("opening a video") { out, error in
            switch source {
            case .stream(let location):
                vision_reader_open(location, VISION_SOURCE_STREAM, 0, 0, 0, Int32(max(0, timeoutS) * 1000), out, error)
            case .camera(let device, let width, let height, let rate):
                vision_reader_open(device, VISION_SOURCE_CAMERA, Int32(width ?? 0), Int32(height ?? 0), rate ?? 0, 0, out, error)
            }
        }
    }

    deinit { vision_reader_destroy(handle) }

    /// What the container or the device says of itself.
    public var info: Info {
        let info = vision_reader_info(handle)
        return Info(
            width: Int(info.width), height: Int(info.height),
            framesPerSecond: info.frames_per_second > 0 ? info.frames_per_second : nil,
            frameCount: info.frame_count > 0 ? Int(info.frame_count) : nil)
    }

    /// The next frame; nil at the end, which is also what a file cut short looks like. Blocks.
    public func next() throws(ImagingError) -> TimedFrame? {
        var image: OpaquePointer?
        var time = 0.0
        var error = vision_error()
        let status = vision_reader_next(handle, &image, &time, &error)
        if status == VISION_END { return nil }
        guard status == VISION_OK, let image else { throw ImagingError(status, "reading a frame", error) }
        return TimedFrame(frame: Frame(adopting: image), timeS: time)
    }
}

/// OpenCV and FFmpeg print to standard error on their own; the programs speak for themselves.
enum Silence {
    static let once: Void = vision_silence()
}
