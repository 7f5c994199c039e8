import FleetModel
import Imaging
import WorldModel

/// NanoDet: per stride 8, 16, 32 one tensor of class scores (n × classes) and one of box distributions (n × 32); the reference point is
/// the cell's centre, `(index + 0.5) × stride`.
struct NanoDetAdapter: OutputAdapter {
    let classes: [RoadUserClass?]
    let input: NetworkInput
    private static let strides = [8, 16, 32]

    func detections(from outputs: [Tensor], threshold: Double, letterbox: Letterbox) throws -> [Detection] {
        var found: [Detection] = []
        for stride in Self.strides {
            let columns = (input.width + stride - 1) / stride
            let cells = columns * ((input.height + stride - 1) / stride)
            guard let scores = outputs.first(where: { $0.values.count == cells * classes.count && $0.shape.last == classes.count }),
                let boxes = outputs.first(where: { $0.values.count == cells * 32 && $0.shape.last == 32 })
            else {
                throw ModelOutputError(
                    description:
                        "adapter nanodet: wanted \(cells)×\(classes.count) and \(cells)×32 at stride \(stride), found \(outputs.map(\.shape))"
                )
            }
            for cell in 0..<cells {
                guard let best = CellScore.best(scores.values, row: cell, classes: classes, threshold: threshold) else { continue }
                let centre = (
                    x: (Double(cell % columns) + 0.5) * Double(stride), y: (Double(cell / columns) + 0.5) * Double(stride)
                )
                let side = DistributionDecoder.distances(boxes.values, at: cell * 32, stride: Double(stride))
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
