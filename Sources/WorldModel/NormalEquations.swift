/// Weighted least squares with up to four unknowns by its normal equations, which are tiny and solved by elimination.
struct NormalEquations: Hashable, Sendable {
    private static let size = 4
    private var matrix = [Double](repeating: 0, count: size * size)
    private var right = [Double](repeating: 0, count: size)

    /// Adds the equation sum(row * unknowns) = value.
    mutating func add(_ row: [Double], value: Double, weight: Double) {
        for i in 0..<Self.size where row[i] != 0 {
            right[i] += weight * row[i] * value
            for j in 0..<Self.size { matrix[i * Self.size + j] += weight * row[i] * row[j] }
        }
    }

    /// Pulls each unknown to `target` with the given weight.
    mutating func hold(_ weights: [Double], at target: [Double]) {
        for i in 0..<Self.size {
            matrix[i * Self.size + i] += weights[i]
            right[i] += weights[i] * target[i]
        }
    }

    /// The first `count` unknowns, the others being 0; nil when they are not determined.
    func solution(_ count: Int) -> [Double]? {
        var columns = (0..<count).map { i in (0..<count).map { matrix[i * Self.size + $0] } + [right[i]] }
        guard Self.eliminate(&columns, count) else { return nil }
        return columns.map { $0[count] } + [Double](repeating: 0, count: Self.size - count)
    }

    /// Standard deviations of the four unknowns when one equation of weight 1 errs by `sd`; nil when they are not determined.
    func standardDeviations(of sd: Double) -> [Double]? {
        let n = Self.size
        var rows = (0..<n).map { i in (0..<n).map { matrix[i * n + $0] } + (0..<n).map { $0 == i ? 1.0 : 0 } }
        guard Self.eliminate(&rows, n) else { return nil }
        return (0..<n).map { sd * max(0, rows[$0][n + $0]).squareRoot() }
    }

    /// Gauss and Jordan, with the largest pivot.
    private static func eliminate(_ rows: inout [[Double]], _ count: Int) -> Bool {
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-12
            else { return false }
            rows.swapAt(column, pivot)
            let scale = 1 / rows[column][column]
            for k in rows[column].indices { rows[column][k] *= scale }
            for row in 0..<count where row != column {
                let factor = rows[row][column]
                guard factor != 0 else { continue }
                for k in rows[row].indices { rows[row][k] -= factor * rows[column][k] }
            }
        }
        return true
    }
}
