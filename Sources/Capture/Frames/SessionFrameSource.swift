import FleetRuntime
import Imaging

/// The frames of a session in order: images by name, or a video through OpenCV.
///
/// Times: `frames.csv` where the session has one; else the video's presentation times minus the first, or number / fps for images.
public final class SessionFrameSource: FrameSource {
    private let pictures: Pictures
    private let timesS: [Double]?
    private var index = 0
    private var clock: PresentationClock

    private enum Pictures {
        case video(VideoReader, path: String)
        case images([String], framesPerSecond: Double?)
    }

    /// Opens the pictures of `session`. Throws `UserError` when the video does not open.
    public init(_ session: Session) throws {
        timesS = session.frameTimesS
        switch session.pictures {
        case .images(let paths, let rate):
            pictures = .images(paths, framesPerSecond: rate)
            clock = PresentationClock(framesPerSecond: rate)
        case .video(let path):
            do throws(ImagingError) {
                let reader = try VideoReader(.stream(path))
                pictures = .video(reader, path: path)
                clock = PresentationClock(framesPerSecond: reader.info.framesPerSecond)
            } catch {
                throw UserError(
                    error.kind == .notFound ? .noInput : .badData,
                    "\(path): cannot be opened as a video; it is damaged, cut short or in a format that OpenCV does not read")
            }
        }
    }

    /// Number of frames as the container or the folder states it; nil when unknown.
    public var frameCount: Int? {
        switch pictures {
        case .video(let reader, _): reader.info.frameCount
        case .images(let paths, _): paths.count
        }
    }

    /// Frames per second as the video or the session states them.
    public var framesPerSecond: Double? {
        switch pictures {
        case .video(let reader, _): reader.info.framesPerSecond
        case .images(_, let rate): rate
        }
    }

    /// The next frame; nil after the last. A video that ends well before the number of frames it states is a `UserError` at its end.
    public func next() throws -> CapturedFrame? {
        switch pictures {
        case .images(let paths, let rate):
            guard index < paths.count else { return nil }
            let frame: Frame
            do throws(ImagingError) {
                frame = try Frame.read(path: paths[index])
            } catch {
                throw UserError(.badData, "\(paths[index]): not a readable image")
            }
            return try captured(frame, ownTimeS: rate.map { Double(index) / $0 }, path: paths[index])
        case .video(let reader, let path):
            guard let timed = try read(reader, path) else {
                try checkEnd(of: reader, path)
                return nil
            }
            let ownTimeS = clock.time(of: timed.timeS)
            return try captured(timed.takeFrame(), ownTimeS: ownTimeS, path: path)
        }
    }

    private func read(_ reader: VideoReader, _ path: String) throws -> VideoReader.TimedFrame? {
        do throws(ImagingError) {
            return try reader.next()
        } catch {
            throw UserError(.badData, "\(path): frame \(index) cannot be read (\(error.detail))")
        }
    }

    private func captured(_ frame: consuming Frame, ownTimeS: Double?, path: String) throws -> CapturedFrame {
        var time = ownTimeS ?? 0
        if let timesS {
            guard index < timesS.count else {
                throw UserError(.badData, "\(path): has more frames than frames.csv, which ends at frame \(timesS.count - 1)")
            }
            time = timesS[index]
        }
        defer { index += 1 }
        return CapturedFrame(frame: frame, index: index, timeS: time)
    }

    private func checkEnd(of reader: VideoReader, _ path: String) throws {
        guard index > 0 else { throw UserError(.badData, "\(path): holds no readable frame") }
        guard let stated = reader.info.frameCount, Double(index) < Self.completeShare * Double(stated) - 2 else { return }
        throw UserError(.badData, "\(path): ends after \(index) of \(stated) frames; the file is cut short or damaged")
    }

    /// Containers that only estimate their number of frames are off by less than this.
    private static let completeShare = 0.98
}
