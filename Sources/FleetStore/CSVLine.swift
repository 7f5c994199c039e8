import FleetRuntime

/// Comma-separated values (RFC 4180), defused: a text that a spreadsheet would run as a formula gets an apostrophe in front (OWASP,
/// "CSV Injection").
package enum CSVLine {
    /// One cell. Numbers are written as they are; texts are checked.
    package enum Cell {
        case text(String?)
        case number(Double?)
        case integer(Int64?)
    }

    package static func line(_ cells: [Cell]) -> String { cells.map(field).joined(separator: ",") }

    private static func field(_ cell: Cell) -> String {
        switch cell {
        case .text(let text): quoted(defused((text ?? "").printable))
        case .number(let number): number.map(Self.plain) ?? ""
        case .integer(let number): number.map { String($0) } ?? ""
        }
    }

    /// Without a point where there is nothing behind it, as in the JSON.
    private static func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    }

    private static func defused(_ text: String) -> String {
        guard let first = text.first(where: { $0 != " " }), "=+-@＝＋－＠".contains(first) else { return text }
        return "'" + text
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
