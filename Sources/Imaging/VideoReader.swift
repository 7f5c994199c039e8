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

        /// What messages call it; a URL may hold a password and is not repeated.
        var name: String {
            switch self {
            case .stream(let location): location.contains("://") ? "the stream" : location
            case .camera(let device, _, _, _): device
            }
        }
    }

    /// What the container or the device says of itself.
    public struct Info: Hashable, Sendable {
        /// Width in pixels.
        public let width: Int
        /// Height in pixels.
        public let height: Int
        /// Nil when unknown.
        public let framesPerSecond: Double?
        /// Nil when unknown; an estimate for containers that do not count.
        public let frameCount: Int?
    }

    /// A frame and its time.
    public struct TimedFrame: ~Copyable {
        /// The picture, three channels.
        public var frame: Frame
        /// Presentation time in s since the first frame's; it grows from frame to frame.
        public let timeS: Double

        /// Gives the picture away.
        public consuming func takeFrame() -> Frame { frame }
    }

    /// What the container or the device says of itself.
    public let info: Info
    private let handle: OpaquePointer
    private let name: String
    private var clock: PresentationClock

    /// Opens `source`. A stream that does not answer within `timeoutS` seconds fails, now and at every later frame.
    ///
    /// Throws `.notFound` when file or device is not there and `.unreadable` when it gives no video; the detail says why.
    public init(_ source: Source, timeoutS: Double = 10) throws(ImagingError) {
        Silence.once
        name = source.name
        let handle = try ImagingError.make("opening \(source.name)") { out, error in
            switch source {
            case .stream(let location):
                vision_reader_open(
                    location, VISION_SOURCE_STREAM, 0, 0, 0, Int32(clamping: Int(min(max(0, timeoutS), 3600) * 1000)), out, error)
            case .camera(let device, let width, let height, let rate):
                vision_reader_open(
                    device, VISION_SOURCE_CAMERA, Int32(clamping: width ?? 0), Int32(clamping: height ?? 0), rate ?? 0, 0, out,
                    error)
            }
        }
        self.handle = handle
        let said = vision_reader_info(handle)
        info = Info(
            width: Int(said.width), height: Int(said.height),
            framesPerSecond: said.frames_per_second > 0 ? said.frames_per_second : nil,
            frameCount: said.frame_count > 0 ? Int(said.frame_count) : nil)
        clock = PresentationClock(framesPerSecond: info.framesPerSecond)
    }

    deinit { vision_reader_destroy(handle) }

    /// The next frame; nil at the end, which is also what a file cut short looks like: compare with `info.frameCount`. Blocks.
    public func next() throws(ImagingError) -> TimedFrame? {
        var image: OpaquePointer?
        var reportedS = 0.0
        var error = vision_error()
        let status = vision_reader_next(handle, &image, &reportedS, &error)
        if status == VISION_END { return nil }
        guard status == VISION_OK, let image else { throw ImagingError(status, "reading \(name)", error) }
        return TimedFrame(frame: Frame(adopting: image), timeS: clock.time(reportedS: reportedS))
    }
}

/// OpenCV and FFmpeg print to standard error on their own; the programs speak for themselves.
enum Silence {
    static let once: Void = vision_silence()
}
