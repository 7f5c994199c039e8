/// The version of every program in this package.
public enum SoftwareVersion {
    /// Semantic version; stands in alerts, heartbeats and `--version`.
    public static let current = "0.1.0"
}
