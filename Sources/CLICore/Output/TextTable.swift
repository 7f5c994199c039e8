import FleetRuntime

/// Rows in aligned columns that fit the terminal.
struct TextTable {
    /// One column.
    struct Column: Sendable {
        var title: String
        /// Numbers stand to the right.
        var isNumber = false
        /// Left out first on a narrow terminal, highest first; 0 stays. From `extraRank` on it goes before the elastic column gets tight.
        var dropRank = 0
        /// Cut at its end when the terminal is too narrow.
        var isElastic = false
        /// Cut in its middle when the terminal is too narrow: names begin and end with what tells them apart.
        var isName = false
        /// Never shown.
        var isHidden = false
    }

    /// One cell; control characters in it are replaced.
    struct Cell: Sendable {
        let text: String
        let style: Style

        init(_ text: String, _ style: Style = .plain) {
            self.text = text.printable
            self.style = style
        }
    }

    private static let gap = "  "
    /// The rank from which on a column is there only when all the rest has room.
    private static let extraRank = 3
    /// Down to where the elastic column is cut before extra columns are left out, before others are, and when none is left to leave out.
    private static let elasticWidth = (beforeExtras: 40, before: 20, atLast: 8)
    /// The share of the terminal that a name keeps.
    private static let nameShare = 4

    let columns: [Column]
    private let terminal: Terminal
    private var widths: [Int]
    private var shown: [Int] = []

    /// A table whose columns are as wide as `rows` need; later rows are fitted in.
    init(columns: [Column], rows: [[Cell]], terminal: Terminal) {
        self.columns = columns
        self.terminal = terminal
        widths = columns.indices.map { column in
            max(columns[column].title.count, rows.map { $0[column].text.count }.max() ?? 0)
        }
        shown = columns.indices.filter { !columns[$0].isHidden }
        fit()
    }

    /// The line with the titles.
    var header: String { line(columns.map { Cell($0.title, .heading) }) }

    /// One row.
    func line(_ cells: [Cell]) -> String {
        var line = ""
        for (place, column) in shown.enumerated() {
            let isLast = place == shown.count - 1
            let text = cut(cells[column].text, column)
            let padding = String(repeating: " ", count: max(0, widths[column] - text.count))
            let styled = cells[column].style.apply(text, terminal.hasColour)
            line += columns[column].isNumber ? padding + styled : styled + (isLast ? "" : padding)
            if !isLast { line += Self.gap }
        }
        return line
    }

    private func cut(_ text: String, _ column: Int) -> String {
        guard terminal.width != nil, text.count > widths[column] else { return text }
        let room = max(0, widths[column] - 1)
        if columns[column].isElastic { return text.prefix(room) + "…" }
        return columns[column].isName ? text.prefix(room - room / 2) + "…" + text.suffix(room / 2) : text
    }

    private var total: Int { shown.map { widths[$0] }.reduce(0, +) + Self.gap.count * max(0, shown.count - 1) }

    /// Shortens names and the elastic column, and where that is not enough leaves columns out.
    private mutating func fit() {
        guard let width = terminal.width, total > width else { return }
        for column in shown where columns[column].isName {
            widths[column] = min(widths[column], max(columns[column].title.count, width / Self.nameShare))
        }
        for (rank, least) in [(Self.extraRank, Self.elasticWidth.beforeExtras), (1, Self.elasticWidth.before)] {
            repeat { if shorten(to: width, least: least) { return } } while leaveOut(from: rank)
        }
        _ = shorten(to: width, least: Self.elasticWidth.atLast, isForced: true)
    }

    /// Cuts the elastic column so far that the table fits; false, and nothing cut, when it would be narrower than `least`.
    private mutating func shorten(to width: Int, least: Int, isForced: Bool = false) -> Bool {
        let excess = total - width
        guard excess > 0 else { return true }
        guard let elastic = shown.first(where: { columns[$0].isElastic }) else { return false }
        guard widths[elastic] - excess >= least || isForced else { return false }
        widths[elastic] = min(widths[elastic], max(least, widths[elastic] - excess))
        return true
    }

    /// Leaves out the column of the highest rank, which is `rank` or more; false when there is none.
    private mutating func leaveOut(from rank: Int) -> Bool {
        let victim = shown.filter { columns[$0].dropRank >= rank }.max { columns[$0].dropRank < columns[$1].dropRank }
        shown.removeAll { $0 == victim }
        return victim != nil
    }
}
