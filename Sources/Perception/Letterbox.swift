import FleetModel
import Imaging

/// How a picture was fitted into a network's input, and the way back. The same arithmetic as CVision's `prepare`.
struct Letterbox: Hashable {
    /// Input pixels per picture pixel.
    let scaleX: Double
    let scaleY: Double
    /// Where the picture's corner lies in the input.
    let offsetX: Double
    let offsetY: Double
    /// Size of the picture.
    let pictureWidth: Double
    let pictureHeight: Double

    init(pictureWidth: Int, pictureHeight: Int, input: NetworkInput) {
        self.pictureWidth = Double(pictureWidth)
        self.pictureHeight = Double(pictureHeight)
        if input.fit == .stretch {
            scaleX = Double(input.width) / self.pictureWidth
            scaleY = Double(input.height) / self.pictureHeight
            (offsetX, offsetY) = (0, 0)
            return
        }
        let scale = min(Double(input.width) / self.pictureWidth, Double(input.height) / self.pictureHeight)
        let width = max(1, (self.pictureWidth * scale).rounded(.toNearestOrEven))
        let height = max(1, (self.pictureHeight * scale).rounded(.toNearestOrEven))
        scaleX = width / self.pictureWidth
        scaleY = height / self.pictureHeight
        offsetX = input.fit == .centre ? Double((input.width - Int(width)) / 2) : 0
        offsetY = input.fit == .centre ? Double((input.height - Int(height)) / 2) : 0
    }

    /// A box in input pixels as a box of the picture, clipped to it; nil when nothing of it lies in the picture or a number is none.
    func picture(left: Double, top: Double, right: Double, bottom: Double) -> Box? {
        guard left.isFinite, top.isFinite, right.isFinite, bottom.isFinite else { return nil }
        let x = (left - offsetX) / scaleX
        let y = (top - offsetY) / scaleY
        return Box(x: x, y: y, width: (right - offsetX) / scaleX - x, height: (bottom - offsetY) / scaleY - y)
            .clipped(width: pictureWidth, height: pictureHeight)
    }
}
