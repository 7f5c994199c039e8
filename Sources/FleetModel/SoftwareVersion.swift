/// The version of every program in this package.
public enum SoftwareVersion {
    /// Semantic version; stands in alerts, heartbeats and `--version`.
    public static let current = "0.1.0"
    /// 2026-01-01T00:00:00Z, before this version was made: no true clock of a computer that runs it is earlier. Moved on with the version.
    public static let earliestTime = Timestamp(millisecondsSinceEpoch: 1_767_225_600_000)
}
