import Capture
import FleetRuntime
import Foundation

/// The section `camera`.
public struct CameraConfiguration: Sendable {
    /// V4L2 device or index, URL without name and password, or file.
    public var source: String
    /// What a stream asks for; nil for one that asks nothing.
    public var username: String?
    /// File whose first line is the stream's password.
    public var passwordFile: String?
    /// What is asked of the camera, in pixels and frames per second; nil leaves the choice to it.
    public var width: Int?
    public var height: Int?
    public var framesPerSecond: Double?
    /// Focal length in pixels of the full frame; nil when the camera is not calibrated.
    public var focalLengthPx: Double?
    /// Principal point in pixels; nil means the middle of the frame.
    public var principalPointPx: [Double]?
    /// Height of the camera above the road, in m.
    public var heightM: Double?
    /// Pitch in degrees, nose up positive.
    public var pitchDeg: Double
    /// Distance from the camera to the front bumper, in m.
    public var bumperOffsetM: Double

    init(_ section: ConfigurationSection) throws {
        source = try Self.source(section)
        username = try section.string("username", maximumLength: 256)
        passwordFile = try section.path("passwordFile")
        if Self.holdsCredentials(source) {
            throw section.error("source", "holds a user name or password; put them into username and passwordFile")
        }
        if username != nil || passwordFile != nil, !source.contains("://") {
            throw section.error(username == nil ? "passwordFile" : "username", "only a stream's URL can ask for it")
        }
        width = try section.integer("width", in: 64...7680)
        height = try section.integer("height", in: 64...4320)
        framesPerSecond = try section.number("fps", in: 1...240)
        focalLengthPx = try section.number("focalLengthPx", in: 10...100_000)
        principalPointPx = try section.numbers("principalPointPx", count: 2)
        heightM = try section.number("heightM", in: 0.2...6)
        pitchDeg = try section.number("pitchDeg", in: -30...30) ?? 0
        bumperOffsetM = try section.number("bumperOffsetM", in: 0...10) ?? 0
        if focalLengthPx != nil, heightM == nil {
            throw section.error("focalLengthPx", "needs heightM beside it: distance comes from both")
        }
    }

    /// The device, the URL, or the file's path from the configuration's folder.
    private static func source(_ section: ConfigurationSection) throws -> String {
        let text = try section.string("source") ?? "/dev/video0"
        guard case .file = CameraAddress(text) else { return text }
        return try section.path("source") ?? text
    }

    /// The camera's address, a stream's with the name and password that it asks for. Throws `UserError` when the password's file cannot be
    /// read.
    public func address() throws -> CameraAddress {
        guard username != nil || passwordFile != nil, let scheme = source.range(of: "://") else { return CameraAddress(source) }
        func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
        let password = try passwordFile.map(SecretFile.read).map { ":" + escaped($0) } ?? ""
        return CameraAddress(
            source[..<scheme.upperBound] + escaped(username ?? "") + password + "@" + source[scheme.upperBound...])
    }

    private static func holdsCredentials(_ source: String) -> Bool {
        guard let scheme = source.range(of: "://") else { return false }
        return source[scheme.upperBound...].prefix { $0 != "/" }.contains("@")
    }
}
