import FleetRuntime

/// Rows in aligned columns that fit the terminal.
struct TextTable {
    /// One column.
    struct Column: Sendable {
        var title: String
        /// Numbers stand to the right.
        var isNumber = false
        /// Left out first on a narrow terminal, highest first; 0 stays.
        var dropRank = 0
        /// Cut when the terminal is too narrow.
        var isElastic = false
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
    /// Down to where the elastic column is cut before columns are left out, and when none is left to leave out.
    private static let elasticWidth = (before: 20, atLast: 8)

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
        guard terminal.width != nil, columns[column].isElastic, text.count > widths[column] else { return text }
        return text.prefix(max(0, widths[column] - 1)) + "…"
    }

    private var total: Int { shown.map { widths[$0] }.reduce(0, +) + Self.gap.count * max(0, shown.count - 1) }

    /// Shortens the elastic column, and where that is not enough leaves columns out.
    private mutating func fit() {
        guard let width = terminal.width else { return }
        let elastic = columns.indices.first { columns[$0].isElastic }
        while total > width {
            if let elastic, widths[elastic] - (total - width) >= Self.elasticWidth.before {
                widths[elastic] -= total - width
            } else if let victim = shown.filter({ columns[$0].dropRank > 0 }).max(by: {
                columns[$0].dropRank < columns[$1].dropRank
            }) {
                shown.removeAll { $0 == victim }
            } else {
                if let elastic {
                    widths[elastic] = min(widths[elastic], max(Self.elasticWidth.atLast, widths[elastic] - (total - width)))
                }
                return
            }
        }
    }
}
