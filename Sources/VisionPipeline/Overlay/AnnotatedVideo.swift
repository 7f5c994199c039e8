import FleetModel
import FleetRuntime
import Imaging

/// The video that `--annotate` writes: every frame with what the pipeline made of it.
///
/// The file is complete once the object is gone. One thread at a time.
public final class AnnotatedVideo {
    private let path: String
    private var writer: VideoWriter?
    private var annotator: Annotator
    private var between: [Alert] = []

    /// A video at `path`; the file is created with the first frame.
    public init(path: String, signs: OverlaySigns) {
        self.path = path
        annotator = Annotator(signs: signs)
    }

    /// Takes note of alerts that came from fixes between two frames.
    public func note(_ alerts: [Alert]) { between += alerts }

    /// Smallest side of a frame that can be drawn on, in pixels: encoders take no less.
    private static let leastSide = 16

    /// Draws `result` on a copy of `frame`, the one it was made from, and appends it. Throws `UserError`.
    public func write(_ result: FrameResult, on frame: borrowing Frame, framesPerSecond: Double) throws {
        // Encoders want even sizes: an odd frame loses its last row or column.
        let (width, height) = (frame.width & ~1, frame.height & ~1)
        guard min(width, height) >= Self.leastSide else {
            throw UserError(
                .badData,
                "\(path): frames of \(frame.width) x \(frame.height) are too small to draw on (\(Self.leastSide) at least)")
        }
        var picture = try frame.cropped(x: 0, y: 0, width: width, height: height)
        try annotator.annotate(&picture, with: result, otherAlerts: between)
        between = []
        do throws(ImagingError) {
            if writer == nil {
                writer = try VideoWriter(path: path, width: width, height: height, framesPerSecond: framesPerSecond)
            }
            try writer?.write(picture)
        } catch {
            throw UserError(.ioError, "\(path): cannot be written as a video; is the folder there, writable and not full?")
        }
    }

    /// Completes the file.
    public func finish() { writer = nil }
}
