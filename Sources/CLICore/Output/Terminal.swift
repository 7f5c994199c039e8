import FleetRuntime
import Glibc

/// What standard output is, as far as the layout depends on it.
struct Terminal: Sendable {
    /// Columns; nil when the output goes to a file or a pipe, where nothing is cut.
    var width: Int?
    /// Whether colour may be used.
    var hasColour: Bool

    /// The process's standard output. `NO_COLOR` (no-color.org) and `TERM=dumb` turn colour off.
    static func current() -> Terminal {
        guard StandardStreams.outputIsTerminal else { return Terminal(width: nil, hasColour: false) }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let noColour = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        return Terminal(width: isKnown ? Int(size.ws_col) : 80, hasColour: !noColour && !isDumb)
    }
}

/// Colours by meaning (ECMA-48 SGR).
enum Style: String, Sendable {
    case plain = ""
    case heading = "1"
    case good = "32"
    case notice = "33"
    case alarm = "31"
    case severe = "1;31"
    case faint = "2"

    func apply(_ text: String, _ hasColour: Bool) -> String {
        self == .plain || !hasColour ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
