import FleetModel
import WorldModel

/// Greedy non-maximum suppression within groups of competing classes.
enum NonMaximumSuppression {
    /// The strongest of each heap of overlapping boxes, best first; at most `limit`. Equal scores keep the order of the input.
    static func apply(_ detections: [Detection], iou: Double, limit: Int = 200) -> [Detection] {
        let sorted = detections.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
        var kept: [Detection] = []
        for candidate in sorted where kept.count < limit {
            let isCovered = kept.contains {
                ClassGroup.competes($0.roadUser, candidate.roadUser) && $0.box.iou(candidate.box) > iou
            }
            if !isCovered { kept.append(candidate) }
        }
        return kept
    }
}
