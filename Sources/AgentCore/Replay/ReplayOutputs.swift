import FleetModel
import Imaging
import VisionPipeline

/// The files that a replay writes frame by frame, as far as they are asked for.
final class ReplayOutputs {
    private let tracks: LineFile?
    private let detections: LineFile?
    private let video: AnnotatedVideo?

    /// Creates the files. Throws `UserError` that names the one that cannot be written.
    init(_ options: ReplayOptions, _ overlay: OverlayConfiguration) throws {
        tracks = try options.tracksPath.map(LineFile.init)
        detections = try options.savedDetectionsPath.map(LineFile.init)
        video = try options.annotatedPath.map { AnnotatedVideo(path: $0, signs: try OverlaySigns(images: overlay.images)) }
    }

    /// Takes note of alerts that came from fixes between two frames.
    func note(_ alerts: [Alert]) { video?.note(alerts) }

    /// Writes what one frame with its picture gave.
    func write(_ result: FrameResult, frame: borrowing Frame, framesPerSecond: Double) throws {
        try write(result)
        try video?.write(result, on: frame, framesPerSecond: framesPerSecond)
        if let detections, let size = result.world.frame {
            try detections.write(
                DetectionFrame(frame: result.frame, timeS: result.world.timeS, size: size, detections: result.detections))
        }
    }

    /// Writes what one frame of recorded detections gave.
    func write(_ result: FrameResult) throws {
        guard let tracks else { return }
        for line in result.trackLines { try tracks.write(line) }
    }

    /// Completes the files.
    func finish() throws {
        try tracks?.finish()
        video?.finish()
        try detections?.finish()
    }
}
