/// Frames one after another, none left out: what a replay runs on. One thread at a time.
///
/// Live frames do not come this way: the camera's thread puts them into a `LatestFrame`, where new ones replace old ones.
public protocol FrameSource: AnyObject {
    /// The next frame; nil after the last. Throws `UserError` naming the file when the pictures are damaged.
    func next() throws -> CapturedFrame?
}
