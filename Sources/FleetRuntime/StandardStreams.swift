import Glibc

/// Whole-line output to the standard streams, and what they are connected to.
public enum StandardStreams {
    /// Writes `text` and a line end to standard output; ends the program quietly when the reader has gone away.
    public static func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }
    /// Writes `text` as it is to standard output.
    public static func printRaw(_ text: String) { write(text, to: STDOUT_FILENO) }
    /// Writes `text` and a line end to standard error.
    public static func printError(_ text: String) { write(text + "\n", to: STDERR_FILENO) }
    /// Writes `text` as it is to standard error, for a progress line that overwrites itself.
    public static func printErrorRaw(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Whether standard output is a terminal.
    public static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether standard error is a terminal.
    public static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var sent = 0
            while sent < bytes.count {
                let n = Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
                if n > 0 {
                    sent += n
                } else if errno != EINTR {
                    // A closed pipe (`fleet-cli alerts | head`) is the reader's wish, not an error.
                    if descriptor == STDOUT_FILENO && errno == EPIPE { exit(0) }
                    return
                }
            }
        }
    }
}
