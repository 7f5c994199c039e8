/// Work with an end of its own was ended early by a signal, so that what it left is incomplete.
///
/// Programs that run until they are told to stop (`run`) end with 0 instead.
public struct Interruption: Error, Hashable, Sendable {
    /// The signal's number.
    public let signal: Int32
    /// One line that says what is incomplete.
    public let message: String

    /// `signal` came; `message` says what is incomplete.
    public init(signal: Int32, _ message: String) {
        self.signal = signal
        self.message = message
    }

    /// The exit status: 128 + signal, as shells have it.
    public var status: Int32 { 128 + signal }
}
