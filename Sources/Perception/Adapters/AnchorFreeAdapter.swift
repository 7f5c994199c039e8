import FleetModel
import Imaging
import WorldModel

/// This project's own detectors: `scores` 1 × n × classes (0...1) and `distances` 1 × n × 32; rows by stride 8, 16, 32, row-major, the
/// reference point is the cell's centre.
struct AnchorFreeAdapter: OutputAdapter {
    let classes: [RoadUserClass?]
    let input: NetworkInput
    private static let strides = [8, 16, 32]

    func detections(from outputs: [Tensor], threshold: Double, letterbox: Letterbox) throws -> [Detection] {
        let rows = Self.strides.map { (input.width / $0) * (input.height / $0) }.reduce(0, +)
        guard let scores = outputs.first(where: { $0.shape == [1, rows, classes.count] }),
            let distances = outputs.first(where: {
                $0.shape == [1, rows, 4 * DistributionDecoder.bins] && $0.shape != scores.shape
            })
        else {
            throw ModelOutputError(
                description: "adapter anchorfree: wanted 1×\(rows)×\(classes.count) and 1×\(rows)×32, found \(outputs.map(\.shape))"
            )
        }
        var found: [Detection] = []
        var row = 0
        for stride in Self.strides {
            let columns = input.width / stride
            for cell in 0..<columns * (input.height / stride) {
                defer { row += 1 }
                guard let best = CellScore.best(scores.values, row: row, classes: classes, threshold: threshold) else { continue }
                let centre = (
                    x: (Double(cell % columns) + 0.5) * Double(stride), y: (Double(cell / columns) + 0.5) * Double(stride)
                )
                let side = DistributionDecoder.distances(distances.values, at: row * 32, stride: Double(stride))
                guard
                    let box = letterbox.picture(
                        left: centre.x - side.left, top: centre.y - side.top, right: centre.x + side.right,
                        bottom: centre.y + side.bottom)
                else { continue }
                found.append(Detection(roadUser: best.roadUser, score: best.score, box: box))
            }
        }
        return found
    }
}

/// The strongest class of one cell.
enum CellScore {
    /// The road user with the highest score of row `row`; nil below `threshold` or when the strongest class is no road user.
    static func best(_ scores: [Float], row: Int, classes: [RoadUserClass?], threshold: Double) -> (
        roadUser: RoadUserClass, score: Double
    )? {
        let start = row * classes.count
        var index = 0
        for i in 1..<max(1, classes.count) where scores[start + i] > scores[start + index] { index = i }
        let score = Double(scores[start + index])
        guard score >= threshold, let roadUser = classes[index] else { return nil }
        return (roadUser, min(1, score))
    }
}
