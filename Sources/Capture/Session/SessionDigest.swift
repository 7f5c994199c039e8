import FleetRuntime
import Foundation

extension Session {
    /// SHA-256 over everything that decides what a replay says; the same session gives the same digest wherever it lies.
    ///
    /// It is the digest of a manifest in the manner of `sha256sum`: one line `HEX  NAME\n` for each part, in this order:
    /// `session.json`; the video as `video`, or each image as `frames/NAME` in the order of replay; `frames.csv`;
    /// `telemetry.jsonl`. Parts that are not there have no line. Reads every byte of the session; throws `UserError`.
    public func digest() throws -> [UInt8] {
        var manifest = ""
        func add(_ path: String?, as name: String) throws {
            guard let path else { return }
            manifest += "\(SHA256.hexadecimal(try SHA256.digest(ofFile: path)))  \(name)\n"
        }
        try add(descriptionPath, as: "session.json")
        switch pictures {
        case .video(let path):
            try add(path, as: "video")
        case .images(let paths, _):
            for path in paths { try add(path, as: "frames/" + (path.split(separator: "/").last ?? "")) }
        }
        try add(frameTimesPath, as: "frames.csv")
        try add(telemetryPath, as: "telemetry.jsonl")
        return SHA256.digest(of: Data(manifest.utf8))
    }
}
