/// A frame that several threads look at and nobody writes to any more.
///
/// Sendable, because the frame is never changed after it has been put in: reading and copying OpenCV's samples from several threads at
/// once is safe, and only the last owner frees them.
public final class SharedFrame: Sendable {
    /// The picture; `copy()` makes one that may be drawn on.
    public let frame: Frame

    /// Takes the frame over.
    public init(_ frame: consuming Frame) { self.frame = frame }
}
