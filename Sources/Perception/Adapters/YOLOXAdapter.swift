import FleetModel
import Foundation
import Imaging
import WorldModel

/// YOLOX (Ge et al. 2021) as its publisher exports it: one output 1 × n × (5 + classes), rows by stride 8, 16, 32, row-major.
///
/// A row holds the box's centre in cells from the cell's corner, the logarithm of its size in cells, the objectness and the class scores
/// (0...1); a detection's score is objectness times class score.
struct YOLOXAdapter: OutputAdapter {
    let classes: [RoadUserClass?]
    let input: NetworkInput
    private static let strides = [8, 16, 32]

    func detections(from outputs: [Tensor], threshold: Double, letterbox: Letterbox) throws -> [Detection] {
        let rows = Self.strides.map { (input.width / $0) * (input.height / $0) }.reduce(0, +)
        let columns = 5 + classes.count
        guard let output = outputs.first(where: { $0.shape == [1, rows, columns] }) else {
            throw ModelOutputError(description: "adapter yolox: wanted 1×\(rows)×\(columns), found \(outputs.map(\.shape))")
        }
        var found: [Detection] = []
        var start = 0
        for stride in Self.strides {
            let cellsAcross = input.width / stride
            for cell in 0..<cellsAcross * (input.height / stride) {
                defer { start += columns }
                let row = output.values[start..<start + columns]
                guard Double(row[start + 4]) >= threshold,
                    let best = (start + 5..<start + columns).max(by: { row[$0] < row[$1] }),
                    let roadUser = classes[best - start - 5]
                else { continue }
                let score = Double(row[start + 4]) * Double(row[best])
                let pixels = Double(stride)
                let x = (Double(row[start]) + Double(cell % cellsAcross)) * pixels
                let y = (Double(row[start + 1]) + Double(cell / cellsAcross)) * pixels
                let (width, height) = (exp(Double(row[start + 2])) * pixels, exp(Double(row[start + 3])) * pixels)
                guard score >= threshold,
                    let box = letterbox.picture(
                        left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2)
                else { continue }
                found.append(Detection(roadUser: roadUser, score: min(1, score), box: box))
            }
        }
        return found
    }
}
