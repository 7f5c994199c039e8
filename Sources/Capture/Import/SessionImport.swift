import FleetModel
import FleetRuntime
import Foundation
import Imaging
import WorldModel

/// Makes a session of footage that a fleet has: a dashcam's video and the track of the same drive.
public struct SessionImport: Sendable {
    /// How the track is laid beside the video.
    public enum Alignment: Hashable, Sendable {
        /// By the time that the video says it was made, where that lies within the track.
        case byVideoDate
        /// The first frame was taken at this time.
        case startedAt(Timestamp)
        /// The track's first point belongs to this second of the video; negative when the track began before.
        case trackStartsAtS(Double)
    }

    /// What came of it.
    public struct Summary: Sendable {
        /// Frames per second and number of frames, as the video says; nil when it does not.
        public var framesPerSecond: Double?
        public var frames: Int?
        /// When the video's first frame was taken, by the track's clock.
        public var startedAt: Timestamp
        /// Telemetry lines written, and those of them within the video where its length is known.
        public var lines = 0
        public var linesWithin = 0
        /// Track points without a usable time.
        public var leftOut = 0
        /// Whether the speeds come from the places.
        public var hasDerivedSpeeds = false
    }

    /// Points of the track so long before the video's beginning and after its end are kept, s: they warm the receiver's judgement up.
    private static let marginS = 30.0

    let video: String
    let track: String
    let alignment: Alignment

    /// `video` is a file that OpenCV reads, `track` a GPX or NMEA file.
    public init(video: String, track: String, alignment: Alignment) {
        self.video = video
        self.track = track
        self.alignment = alignment
    }

    /// Writes the session `folder`, which must not hold one. The video is linked into it where that is possible, copied otherwise. Throws
    /// `UserError`.
    public func run(into folder: String, vehicle: String, camera: CameraCalibration?) throws -> Summary {
        guard !FileManager.default.fileExists(atPath: folder + "/session.json") else {
            throw UserError(.ioError, "\(folder): holds a session already; choose another folder")
        }
        let info = try videoInfo()
        let recorded = try RecordedTrack(path: track)
        let startedAt = try start(recorded)
        let lengthS = info.frameCount.flatMap { count in info.framesPerSecond.map { Double(count) / $0 } }
        var summary = Summary(framesPerSecond: info.framesPerSecond, frames: info.frameCount, startedAt: startedAt)
        (summary.leftOut, summary.hasDerivedSpeeds) = (recorded.leftOut, recorded.hasDerivedSpeeds)
        let fixes = recorded.fixes.compactMap { fix -> PositionFix? in
            guard let time = fix.fixTime else { return nil }
            var fix = fix
            fix.timeS = time.seconds(since: startedAt)
            return fix.timeS >= -Self.marginS && fix.timeS <= (lengthS ?? .infinity) + Self.marginS ? fix : nil
        }
        summary.linesWithin = fixes.count { $0.timeS >= 0 && $0.timeS <= lengthS ?? .infinity }
        guard summary.linesWithin > 0 else {
            throw UserError(
                .badData,
                "\(track): runs from \(recorded.startedAt) to \(recorded.endedAt), the video begins at \(startedAt): they do not overlap; give --video-start or --offset"
            )
        }
        summary.lines = fixes.count
        try write(folder, SessionDescription(vehicle: vehicle, startedAt: startedAt, video: videoName, camera: camera), fixes)
        return summary
    }

    private var videoName: String {
        let ending = FilePath.name(of: video).split(separator: ".").dropFirst().last.map { "." + $0.lowercased() } ?? ""
        return "video" + ending
    }

    private func videoInfo() throws -> VideoReader.Info {
        guard FileManager.default.isReadableFile(atPath: video) else {
            throw UserError(.noInput, "\(video): no such file, or not readable")
        }
        do {
            let reader = try VideoReader(.stream(video))
            guard try reader.next() != nil else { throw UserError(.badData, "\(video): holds no frame") }
            return reader.info
        } catch let error as ImagingError {
            throw UserError(.badData, "\(video): \(error)")
        }
    }

    private func start(_ recorded: RecordedTrack) throws -> Timestamp {
        switch alignment {
        case .startedAt(let time): return time
        case .trackStartsAtS(let seconds): return recorded.startedAt.advanced(bySeconds: -seconds)
        case .byVideoDate:
            guard let created = VideoDate.created(path: video) else {
                throw UserError(
                    .usage,
                    "\(video): does not say when it was made; give --video-start TIME or --offset SECONDS (0 when both begin together)"
                )
            }
            guard created >= recorded.startedAt.advanced(bySeconds: -Self.marginS), created <= recorded.endedAt else {
                throw UserError(
                    .usage,
                    "\(video): says that it was made at \(created), but the track runs from \(recorded.startedAt) to \(recorded.endedAt); give --video-start TIME or --offset SECONDS"
                )
            }
            return created
        }
    }

    private func write(_ folder: String, _ description: SessionDescription, _ fixes: [PositionFix]) throws {
        if let reason = description.implausibility { throw UserError(.usage, "\(folder)/session.json: \(reason)") }
        var telemetry = Data()
        for fix in fixes {
            telemetry.append(try WireCodec.encode(TelemetryRecord(fix, startS: 0)))
            telemetry.append(10)
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let target = folder + "/" + videoName
            if link(video, target) != 0 { try FileManager.default.copyItem(atPath: video, toPath: target) }
            try telemetry.write(to: URL(filePath: folder + "/telemetry.jsonl"), options: .atomic)
            // Last, so that a folder that was not finished is no session.
            try WireCodec.encode(description).write(to: URL(filePath: folder + "/session.json"), options: .atomic)
        } catch {
            throw UserError(.ioError, "\(folder): cannot be written (\(error.localizedDescription))")
        }
    }
}

extension SessionDescription {
    init(vehicle: String, startedAt: Timestamp, video: String, camera: CameraCalibration?) {
        self.init(version: Self.version, vehicle: vehicle, startedAt: startedAt, video: video, camera: camera.map(Camera.init))
    }
}
