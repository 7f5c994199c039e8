/// What a snapshot may be, on both sides of the wire.
public enum SnapshotLimits {
    /// Largest JPEG, in bytes: 128 KiB, which every broker lets through and a slow link carries in seconds.
    public static let maximumBytes = 128 * 1024
}
