/// Levenshtein's distance: how many letters must be added, dropped or changed.
enum EditDistance {
    static func between(_ a: String, _ b: String) -> Int {
        // Nobody mistypes a word of a thousand letters.
        guard max(a.utf8.count, b.utf8.count) <= 256 else { return .max }
        let (a, b) = (Array(a), Array(b))
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
                diagonal = above
            }
        }
        return row[b.count]
    }
}
