import FleetRuntime

/// The section `camera`.
public struct CameraConfiguration: Sendable {
    /// V4L2 device or index, URL, or file.
    public var source: String
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
        source = try section.string("source") ?? "/dev/video0"
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
}
