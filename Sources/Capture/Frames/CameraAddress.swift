import FleetRuntime
import Foundation
import Glibc

/// Where a live camera is: a V4L2 device, a stream, or a file that stands in for one.
public enum CameraAddress: Hashable, Sendable, CustomStringConvertible {
    /// Path of a V4L2 device.
    case device(String)
    /// `rtsp://`, `http://` and what else FFmpeg reads.
    case stream(String)
    /// A video file, played once at its own rate.
    case file(String)

    /// Reads the configuration's `camera.source`: an index (`0` is `/dev/video0`), a path under `/dev`, a URL, or a file.
    public init(_ source: String) {
        if !source.isEmpty, source.utf8.allSatisfy({ (48...57).contains($0) }) {
            self = .device("/dev/video" + source)
        } else if source.hasPrefix("/dev/") {
            self = .device(source)
        } else if source.contains("://") {
            self = .stream(source)
        } else {
            self = .file(source)
        }
    }

    /// The path, or the URL without what stands before the host: that can be a password.
    public var description: String {
        switch self {
        case .device(let path), .file(let path): return path
        case .stream(let url):
            guard let scheme = url.range(of: "://"),
                let at = url[scheme.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
            else { return url }
            return String(url[..<scheme.upperBound] + url[url.index(after: at)...])
        }
    }

    /// Whether the device or file is there and may be read. Throws a `UserError` that names it and says what to do; streams pass.
    public func check() throws {
        switch self {
        case .stream: return
        case .file(let path):
            guard access(path, R_OK) == 0 else { throw UserError(.noInput, "camera: \(path): \(String(cString: strerror(errno)))") }
        case .device(let path):
            if access(path, R_OK | W_OK) == 0 { return }
            if errno == EACCES || errno == EPERM { throw UserError(.noInput, Self.permissionAdvice(path, uid: getuid())) }
            throw UserError(.noInput, "camera: \(path) is not there; \(Self.presentDevices())")
        }
    }

    static func permissionAdvice(_ path: String, uid: uid_t) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return "camera: \(path): permission denied for uid \(uid)" }
        let gid = status.st_gid
        let group = getgrgid(gid).map { String(cString: $0.pointee.gr_name) } ?? String(gid)
        let mode = String(status.st_mode & 0o777, radix: 8)
        let denied =
            "camera: \(path): permission denied for uid \(uid); it belongs to uid \(status.st_uid), group \(group) (gid \(gid)), mode \(mode)"
        guard status.st_mode & 0o060 == 0o060 else {
            return "\(denied), and its mode lets no group in: chmod g+rw \(path), then join the group \(group)"
        }
        let user = getpwuid(uid).map { String(cString: $0.pointee.pw_name) } ?? "USER"
        return "\(denied): add the user to the group with usermod -aG \(group) \(user)"
    }

    private static func presentDevices() -> String {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []).filter { $0.hasPrefix("video") }
        guard !names.isEmpty else { return "no /dev/video* device exists here: is the camera plugged in, and its driver loaded?" }
        return "there is " + names.sorted().prefix(8).map { "/dev/" + $0 }.joined(separator: ", ")
    }
}
