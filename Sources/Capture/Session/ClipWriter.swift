import FleetModel
import FleetRuntime
import Foundation
import Glibc
import WorldModel

/// Writes one clip: a session whose pictures are JPEG files that lie on the same disk already. Folders 0700, files 0600.
///
/// The folder carries the ending `.partial` until it is complete.
public struct ClipWriter {
    /// A picture on disk and its time on the clock of fixes.
    public struct Picture: Sendable {
        /// Where it lies.
        public var path: String
        /// When it was taken, in s.
        public var timeS: Double

        /// A picture.
        public init(path: String, timeS: Double) {
            self.path = path
            self.timeS = timeS
        }
    }

    /// Writes the session `path` (which must not exist) of `pictures` in their order, `fixes` and `alerts`. `startedAt` is the time of the first
    /// picture. The pictures are linked, not copied, where the disk can. Throws `UserError`.
    public static func write(
        to path: String, vehicle: String, startedAt: Timestamp, pictures: [Picture], fixes: [PositionFix], alerts: [Alert],
        camera: CameraCalibration?
    ) throws {
        guard let startS = pictures.first?.timeS else { return }
        let partial = path + ".partial"
        try makeFolder(partial)
        try makeFolder(partial + "/frames")
        var times = "frame,t_s\n"
        for (number, picture) in pictures.enumerated() {
            let name = String(repeating: "0", count: max(0, 6 - String(number).count)) + String(number)
            try take(picture.path, to: "\(partial)/frames/\(name).jpg")
            times += "\(number),\((picture.timeS - startS).rounded(toPlaces: 4))\n"
        }
        let description = SessionDescription(
            version: SessionDescription.version, vehicle: vehicle, startedAt: startedAt, frames: "frames",
            camera: camera.map(SessionDescription.Camera.init))
        try writeFile(partial + "/session.json", try WireCodec.encode(description))
        try writeFile(partial + "/frames.csv", Data(times.utf8))
        try writeFile(partial + "/telemetry.jsonl", try lines(fixes.map { TelemetryRecord($0, startS: startS) }))
        try writeFile(partial + "/alerts.jsonl", try lines(alerts))
        guard rename(partial, path) == 0 else { throw failure(path) }
    }

    /// Makes a folder that only its owner may look into; one that is there already is made so.
    public static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, chmod(path, 0o700) == 0 else { throw failure(path) }
    }

    /// Writes a file that only its owner may read.
    public static func writeFile(_ path: String, _ data: Data) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        var rest = data[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard written > 0 || errno == EINTR else { throw failure(path) }
            rest = rest.dropFirst(max(0, written))
        }
    }

    private static func take(_ source: String, to target: String) throws {
        if link(source, target) == 0 { return }
        // Some file systems know no links.
        try writeFile(target, FilePieces.contents(of: source, limit: 1 << 26))
    }

    private static func lines(_ values: [some Encodable]) throws -> Data {
        var data = Data()
        for value in values {
            data += try WireCodec.encode(value)
            data.append(10)
        }
        return data
    }

    private static func failure(_ path: String) -> UserError {
        UserError(.ioError, "\(path): cannot be written (\(String(cString: strerror(errno))))")
    }
}
