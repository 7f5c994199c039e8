import FleetModel
import FleetRuntime
import Foundation
import Imaging
import WorldModel

/// Writes a session as it happens: `session.json`, `video.mp4`, `frames.csv`, `telemetry.jsonl`.
///
/// `session.json` comes first, each telemetry line and frame time is written at once, and a frame's time before the frame, so that
/// what a power cut leaves is readable up to the cut but for the video, whose index is written by `finish`. One thread at a time.
public final class SessionWriter {
    /// Name of the video in the folder.
    public static let videoName = "video.mp4"

    private let folder: String
    private let startS: Double
    private let framesPerSecond: Double
    private let frameTimes: FileHandle
    private let telemetry: FileHandle
    private var video: VideoWriter?
    private var size: (width: Int, height: Int)?
    private var latestS: Double?
    /// Frames written so far.
    public private(set) var frameCount = 0
    /// Telemetry lines written so far.
    public private(set) var telemetryCount = 0

    /// Creates the folder `path`, which must not hold a session yet.
    ///
    /// `startS` is the session's time 0 on the clock of frames and fixes, `startedAt` the same moment in UTC. `framesPerSecond` is what
    /// the video states; the true times stand in `frames.csv`. Throws `UserError`.
    public init(
        path: String, vehicle: String, startedAt: Timestamp, startS: Double, framesPerSecond: Double,
        camera: CameraCalibration? = nil
    ) throws {
        folder = path
        self.startS = startS
        self.framesPerSecond = framesPerSecond
        let description = SessionDescription(
            version: SessionDescription.version, vehicle: vehicle, startedAt: startedAt, video: Self.videoName,
            camera: camera.map(SessionDescription.Camera.init))
        if let reason = description.implausibility { throw UserError(.usage, "\(path)/session.json: \(reason)") }
        guard !FileManager.default.fileExists(atPath: path + "/session.json") else {
            throw UserError(.ioError, "\(path): holds a session already; choose another folder")
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try WireCodec.encode(description).write(to: URL(filePath: path + "/session.json"), options: .atomic)
        } catch {
            throw UserError(.ioError, "\(path): cannot be written (\(error.localizedDescription))")
        }
        frameTimes = try Self.create(path + "/frames.csv")
        telemetry = try Self.create(path + "/telemetry.jsonl")
        try Self.append("frame,t_s\n", to: frameTimes, path + "/frames.csv")
    }

    /// Appends a frame. A frame that is not later than the one before, or not of the first one's size, is left out; whether it was written.
    @discardableResult
    public func write(_ captured: borrowing CapturedFrame) throws -> Bool {
        let timeS = (captured.timeS - startS).rounded(toPlaces: 4)
        if let latestS, timeS <= latestS { return false }
        if let size, size != (captured.frame.width, captured.frame.height) { return false }
        do {
            // The encoder takes even sizes only.
            let (width, height) = (captured.frame.width & ~1, captured.frame.height & ~1)
            let writer =
                try video
                ?? VideoWriter(
                    path: folder + "/" + Self.videoName, width: width, height: height, framesPerSecond: framesPerSecond)
            video = writer
            try Self.append("\(frameCount),\(timeS)\n", to: frameTimes, folder + "/frames.csv")
            if width == captured.frame.width, height == captured.frame.height {
                try writer.write(captured.frame)
            } else {
                try writer.write(try captured.frame.cropped(x: 0, y: 0, width: width, height: height))
            }
        } catch let error as ImagingError {
            throw UserError(.ioError, "\(folder)/\(Self.videoName): \(error)")
        }
        latestS = timeS
        size = (captured.frame.width, captured.frame.height)
        frameCount += 1
        return true
    }

    /// Appends a report.
    public func write(_ fix: PositionFix) throws {
        let line = try WireCodec.encode(TelemetryRecord(fix, startS: startS))
        try Self.append(String(decoding: line, as: UTF8.self) + "\n", to: telemetry, folder + "/telemetry.jsonl")
        telemetryCount += 1
    }

    /// Writes the end of the video and closes the files. Nothing can be written after it.
    public func finish() throws {
        video = nil
        try frameTimes.close()
        try telemetry.close()
    }

    private static func create(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
            throw UserError(.ioError, "\(path): cannot be created")
        }
        return file
    }

    private static func append(_ text: String, to file: FileHandle, _ path: String) throws {
        do {
            try file.write(contentsOf: Data(text.utf8))
        } catch {
            throw UserError(.ioError, "\(path): cannot be written (\(error.localizedDescription))")
        }
    }
}
