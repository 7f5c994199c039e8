/// Who looks at the frames of a running agent beside the rules; nil where it is not configured.
struct LiveOutlets: Sendable {
    /// Makes the pictures of alerts.
    var studio: SnapshotStudio?
    /// Keeps recordings around alerts.
    var clips: ClipRecorder?
    /// Shows what the agent sees.
    var preview: PreviewFeed?
}
