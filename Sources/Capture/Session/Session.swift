import FleetModel
import FleetRuntime
import Foundation
import Glibc
import WorldModel

/// A recorded drive, checked and ready to be replayed: a session folder, or a bare video file.
///
/// A bare video has no telemetry, no calibration, the vehicle name `vehicle` and starts at 1970-01-01.
public struct Session: Sendable {
    /// Where the pictures are.
    public enum Pictures: Hashable, Sendable {
        /// The path of one video file.
        case video(String)
        /// The paths of images in the order of their names, and frames per second where the session states them.
        case images([String], framesPerSecond: Double?)
    }

    /// The folder or file, as it was given.
    public let path: String
    /// Name of the vehicle, `[A-Za-z0-9_-]{1,64}`.
    public let vehicle: String
    /// When the session's time 0 was.
    public let startedAt: Timestamp
    /// Where the pictures are.
    public let pictures: Pictures
    /// How the camera maps the road; nil when unknown.
    public let camera: CameraCalibration?
    /// The times of `frames.csv`, which override the video's own and `fps`; nil without that file.
    public let frameTimesS: [Double]?
    /// `telemetry.jsonl`; nil without that file.
    public let telemetryPath: String?
    /// `truth.jsonl` of a simulated drive; nil without that file.
    public let truthPath: String?
    /// `session.json`; nil for a bare video.
    let descriptionPath: String?
    /// `frames.csv`; nil without that file.
    let frameTimesPath: String?

    /// The vehicle name of a bare video.
    public static let unnamedVehicle = "vehicle"
    /// Endings of the files that count as images of a session, in lower case.
    public static let imageEndings: Set<String> = ["jpg", "jpeg", "png", "bmp", "ppm", "webp"]
    private static let maximumDescriptionBytes = 64 * 1024

    /// Every file that the session is read from; for images their folder's files.
    public var files: [String] {
        let pictureFiles: [String] =
            switch pictures {
            case .video(let path): [path]
            case .images(let paths, _): paths
            }
        return [descriptionPath, frameTimesPath, telemetryPath, truthPath].compactMap(\.self) + pictureFiles
    }

    /// Opens a session folder or a bare video file and reads all of it but the pictures.
    ///
    /// Throws `UserError`: `noInput` names the file that is missing, `badData` the file and line that are wrong.
    public static func open(_ path: String) throws -> Session {
        switch kind(of: path) {
        case .missing: throw UserError(.noInput, "\(path): no such session folder or video file")
        case .file: return Session(video: path)
        case .folder: return try Session(folder: path)
        }
    }

    private init(video: String) {
        path = video
        vehicle = Self.unnamedVehicle
        startedAt = .epoch
        pictures = .video(video)
        (camera, frameTimesS, telemetryPath, truthPath, descriptionPath, frameTimesPath) = (nil, nil, nil, nil, nil, nil)
    }

    private init(folder: String) throws {
        func member(_ name: String) -> String { name.hasPrefix("/") ? name : folder + (folder.hasSuffix("/") ? "" : "/") + name }
        // A link that leads nowhere is there, and tells of it when it is opened; so is a folder.
        func optional(_ name: String) throws -> String? {
            var status = stat()
            guard lstat(member(name), &status) == 0 else { return nil }
            guard Self.kind(of: member(name)) == .file else {
                throw UserError(
                    .noInput, "\(member(name)): is no file, or a link that leads nowhere; remove it or put the file there")
            }
            return member(name)
        }
        let file = member("session.json")
        guard Self.kind(of: file) == .file else {
            throw UserError(.noInput, "\(file): missing; a session folder holds a session.json")
        }
        let description = try Self.description(file)
        path = folder
        descriptionPath = file
        vehicle = description.vehicle
        startedAt = description.startedAt
        camera = description.camera?.calibration
        telemetryPath = try optional("telemetry.jsonl")
        truthPath = try optional("truth.jsonl")
        frameTimesPath = try optional("frames.csv")
        frameTimesS = try frameTimesPath.map(FrameTimes.read)
        if let video = description.video {
            guard Self.kind(of: member(video)) == .file else {
                throw UserError(.noInput, "\(member(video)): missing; \(file) names it as the video")
            }
            pictures = .video(member(video))
        } else {
            let images = try Self.images(in: member(description.frames ?? "frames"), namedBy: file)
            guard description.fps != nil || frameTimesS != nil else {
                throw UserError(.badData, "\(file): fps is missing; images need it, or a frames.csv beside it")
            }
            if let times = frameTimesS, let list = frameTimesPath, times.count < images.count {
                throw UserError(.badData, "\(list): has \(times.count) frames, but there are \(images.count) images")
            }
            pictures = .images(images, framesPerSecond: description.fps)
        }
        if let telemetryPath { try SessionTelemetry.check(path: telemetryPath) }
    }

    private static func description(_ file: String) throws -> SessionDescription {
        let bytes = try FilePieces.contents(of: file, limit: maximumDescriptionBytes)
        do throws(WireCodec.Malformed) {
            let description = try WireCodec.decode(SessionDescription.self, from: bytes)
            if let reason = description.implausibility { throw WireCodec.Malformed(reason: reason) }
            return description
        } catch {
            throw UserError(.badData, "\(file): \(error.reason)")
        }
    }

    private static func images(in folder: String, namedBy file: String) throws -> [String] {
        guard kind(of: folder) == .folder else {
            throw UserError(.noInput, "\(folder): missing; \(file) names it as the folder of frames")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            !name.hasPrefix(".") && imageEndings.contains(name.split(separator: ".").last?.lowercased() ?? "")
        }
        guard !names.isEmpty else { throw UserError(.noInput, "\(folder): holds no images") }
        guard names.count <= FrameTimes.maximumFrames else {
            throw UserError(.badData, "\(folder): more than \(FrameTimes.maximumFrames) images")
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { folder + "/" + $0 }
    }

    private enum Kind { case missing, file, folder }

    private static func kind(of path: String) -> Kind {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return .missing }
        return isFolder.boolValue ? .folder : .file
    }
}
