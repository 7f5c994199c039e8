import FleetModel

/// Finds a place for the label of every box so that no label covers another: the most urgent come first and get the best places.
public struct LabelLayout {
    private let width: Double
    private let height: Double
    private var taken: [Box]

    /// A layout in a frame of `width` × `height`; `reserved` is kept free of labels.
    public init(width: Double, height: Double, reserved: [Box] = []) {
        self.width = width
        self.height = height
        taken = reserved
    }

    /// The place of a label of the given size for the road user at `box`; nil when every place near it is taken.
    public mutating func place(width labelWidth: Double, height labelHeight: Double, at box: Box) -> Box? {
        let right = box.maxX - labelWidth
        // Above the box, then below and inside it, then farther above: near enough to be read as the box's own.
        let places = [
            (box.x, box.y - labelHeight), (right, box.y - labelHeight), (box.x, box.maxY), (right, box.maxY), (box.x, box.y),
            (box.x, box.y - 2 * labelHeight), (right, box.y - 2 * labelHeight), (box.x, box.maxY + labelHeight),
        ]
        for (x, y) in places {
            let place = Box(x: min(max(0, x), width - labelWidth), y: y, width: labelWidth, height: labelHeight)
            guard place.x >= 0, place.y >= 0, place.maxY <= height, !taken.contains(where: { $0.iou(place) > 0 }) else { continue }
            taken.append(place)
            return place
        }
        return nil
    }
}
