/// A line on the terminal that says how far long work is; silent when standard error is no terminal.
public final class ProgressLine {
    private let total: Int?
    private let unit: String
    private let isShown = StandardStreams.errorIsTerminal
    private var lastShownS = -1.0

    /// `total` nil when the end is not known.
    public init(total: Int?, unit: String) {
        self.total = total
        self.unit = unit
    }

    /// Shows `done`, at most five times a second.
    public func show(_ done: Int) {
        guard isShown else { return }
        let now = MonotonicTime.now()
        guard now - lastShownS > 0.2 else { return }
        lastShownS = now
        let end = total.map { " of \($0)" } ?? ""
        StandardStreams.printErrorRaw("\r\u{1B}[K\(done)\(end) \(unit)")
    }

    /// Removes the line.
    public func clear() {
        if isShown, lastShownS >= 0 { StandardStreams.printErrorRaw("\r\u{1B}[K") }
    }
}
