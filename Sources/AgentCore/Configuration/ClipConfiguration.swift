import FleetRuntime

/// The section `clips`: short recordings around alerts, kept in the vehicle. Off unless `path` is given.
public struct ClipConfiguration: Sendable {
    /// Folder for the clips and the ring that they are cut from; nil keeps none.
    public var path: String?
    /// Seconds before an alert that a clip begins.
    public var beforeS: Double
    /// Seconds after an alert's start, or after a rise of its severity, that a clip ends.
    public var afterS: Double
    /// Frames per second that are kept.
    public var framesPerSecond: Double
    /// Clips older than this many seconds are deleted.
    public var maximumAgeS: Double
    /// The oldest clips are deleted when ring and clips are larger than this many bytes together.
    public var maximumBytes: Int64

    init(_ section: ConfigurationSection) throws {
        let isEnabled = try section.bool("enabled") ?? false
        let folder = try section.path("path") ?? "/var/lib/fleet-agent/clips"
        path = isEnabled ? folder : nil
        beforeS = try section.duration("before", in: 0...60) ?? 8
        afterS = try section.duration("after", in: 0...60) ?? 4
        framesPerSecond = try section.number("fps", in: 1...60) ?? 10
        maximumAgeS = try section.duration("maximumAge", in: 60...315_360_000) ?? 7 * 86_400
        maximumBytes = try section.byteCount("maximumBytes", in: 16_777_216...1_099_511_627_776) ?? 2 << 30
    }
}
