import FleetModel
import Foundation
import Imaging

extension Frame {
    /// Draws the outline of `box`, half of its thickness on either side.
    mutating func outline(_ box: Box, thickness: Double, colour: CanvasColour) throws(ImagingError) {
        let half = thickness / 2
        let (left, right, top, bottom) = (box.x - half, box.maxX + half, box.y - half, box.maxY + half)
        try rectangle(left, top, right, top + thickness, colour)
        try rectangle(left, bottom - thickness, right, bottom, colour)
        try rectangle(left, top, left + thickness, bottom, colour)
        try rectangle(right - thickness, top, right, bottom, colour)
    }

    /// Fills a circle.
    mutating func disc(_ centre: CanvasPoint, radius: Double, colour: CanvasColour) throws(ImagingError) {
        let corners = (0..<64).map { i in
            let angle = 2 * Double.pi * Double(i) / 64
            return CanvasPoint(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
        }
        try fill(corners, colour)
    }

    /// Writes `text` on a ground of its own; the ground's lower left corner is given and kept within the frame.
    mutating func label(
        _ text: String, left: Double, bottom: Double, capHeight: Double, ink: CanvasColour, ground: CanvasColour
    ) throws(ImagingError) {
        let (textWidth, textHeight) = (Self.textWidth(text, capHeight: capHeight), 1.8 * capHeight)
        let x = min(max(0, left), max(0, Double(width) - textWidth))
        try rectangle(x, bottom - textHeight, x + textWidth, bottom, ground)
        try write(
            text, centre: CanvasPoint(x: x + textWidth / 2, y: bottom - textHeight / 2), capHeight: capHeight, stroke: 0.13,
            colour: ink)
    }

    /// Writes `text` with its middle at `centre`; `stroke` is the width of a line as a share of the height of capitals.
    mutating func write(
        _ text: String, centre: CanvasPoint, capHeight: Double, stroke: Double, colour: CanvasColour
    ) throws(ImagingError) {
        let (w, h) = (ceil(Self.textWidth(text, capHeight: capHeight)), ceil(2 * capHeight))
        let layer = try CanvasLayer(width: max(1, Int(w)), height: max(1, Int(h)))
        try layer.write(
            text, centre: CanvasPoint(x: w / 2, y: h / 2), capHeight: capHeight, stroke: max(1, stroke * capHeight), colour: colour)
        let (left, top) = (centre.x - w / 2, centre.y - h / 2)
        try draw(
            layer,
            corners: [
                CanvasPoint(x: left, y: top), CanvasPoint(x: left + w, y: top), CanvasPoint(x: left + w, y: top + h),
                CanvasPoint(x: left, y: top + h),
            ])
    }

    private mutating func rectangle(
        _ left: Double, _ top: Double, _ right: Double, _ bottom: Double, _ colour: CanvasColour
    ) throws(ImagingError) {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)].map { CanvasPoint(x: $0.0, y: $0.1) }
        try fill(corners, colour)
    }

    /// Room for `text`: a generous mean of the font's advances.
    static func textWidth(_ text: String, capHeight: Double) -> Double { (Double(text.count) * 0.82 + 1) * capHeight }
}
