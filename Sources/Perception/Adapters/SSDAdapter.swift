import FleetModel
import Imaging
import WorldModel

/// Single-shot detectors that end in a detection-output layer: rows of (image, label, score, left, top, right, bottom), corners relative to
/// the input (0...1), image −1 behind the last row. Label 0 is the background, so class names begin at label 1.
struct SSDAdapter: OutputAdapter {
    let classes: [RoadUserClass?]
    let input: NetworkInput

    func detections(from outputs: [Tensor], threshold: Double, letterbox: Letterbox) throws -> [Detection] {
        guard let rows = outputs.first(where: { $0.shape.last == 7 }) else {
            throw ModelOutputError(description: "adapter ssd: no output with rows of 7 values, found \(outputs.map(\.shape))")
        }
        var found: [Detection] = []
        for start in stride(from: 0, to: rows.values.count - 6, by: 7) {
            let row = rows.values[start..<start + 7].map(Double.init)
            if row[0] < 0 { break }
            let label = Int(exactly: row[1].rounded()) ?? 0
            guard row[2] >= threshold, row[2] <= 1.001, label >= 1, label <= classes.count, let roadUser = classes[label - 1] else {
                continue
            }
            let (width, height) = (Double(input.width), Double(input.height))
            guard
                let box = letterbox.picture(
                    left: row[3] * width, top: row[4] * height, right: row[5] * width, bottom: row[6] * height)
            else { continue }
            found.append(Detection(roadUser: roadUser, score: min(1, row[2]), box: box))
        }
        return found
    }
}
