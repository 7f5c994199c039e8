import Glibc
import Synchronization

/// Whole-line output to the standard streams, and what they are connected to.
public enum StandardStreams {
    /// Writes `text` and a line end to standard output; ends the program quietly when the reader has gone away. For lists, whose
    /// reader may have enough (`| head`). Blocks while the reader does not read.
    public static func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO, endsWithReader: true) }
    /// Writes bytes as they are to standard output; ends the program quietly when the reader has gone away.
    public static func write(_ bytes: UnsafeRawBufferPointer) { write(bytes, to: STDOUT_FILENO, endsWithReader: true) }
    /// Writes `text` and a line end to standard output; a reader that has gone away is no matter. For programs whose work is not
    /// what they print. Blocks while the reader does not read.
    public static func comment(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }
    /// Writes `text` and a line end to standard error.
    public static func printError(_ text: String) { write(text + "\n", to: STDERR_FILENO) }
    /// Writes `text` as it is to standard error, for a progress line that overwrites itself.
    public static func printErrorRaw(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Whether standard output is a terminal.
    public static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether standard error is a terminal.
    public static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Why something that was printed is lost (a full disk, not a reader that went away); nil while all went well.
    public static var outputFailure: String? {
        let code = firstFailure.load(ordering: .relaxed)
        return code == 0 ? nil : String(cString: strerror(code))
    }

    /// The first error number of standard output, 0 for none.
    private static let firstFailure = Atomic<Int32>(0)

    private static func write(_ text: String, to descriptor: Int32, endsWithReader: Bool = false) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor, endsWithReader: endsWithReader) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, endsWithReader: Bool) {
        var sent = 0
        while sent < bytes.count {
            let n = Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            if n > 0 {
                sent += n
            } else if errno != EINTR {
                let code = errno
                if code == EPIPE, endsWithReader { exit(0) }
                if code != EPIPE, descriptor == STDOUT_FILENO {
                    _ = firstFailure.compareExchange(expected: 0, desired: code, ordering: .relaxed)
                }
                return
            }
        }
    }
}
