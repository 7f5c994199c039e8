import FleetRuntime

/// A progress line on standard error when that is a terminal; silent otherwise. One thread at a time.
final class ProgressMeter {
    private let title: String
    private let isVisible = StandardStreams.errorIsTerminal
    private var shownPercent = -1

    init(title: String) { self.title = title }

    /// Shows that `share` (0...1) is done.
    func show(_ share: Double) {
        let percent = Int(share * 100)
        guard isVisible, percent != shownPercent else { return }
        shownPercent = percent
        StandardStreams.printErrorRaw("\r\(title): \(percent) %")
    }

    /// Ends the line.
    func finish() {
        if isVisible, shownPercent >= 0 { StandardStreams.printError("") }
    }
}
