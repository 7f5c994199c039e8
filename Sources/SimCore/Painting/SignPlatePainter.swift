import FleetModel
import Imaging

/// Paints signs on plates: those of North America, and the plates under round signs.
enum SignPlatePainter {
    /// Half the width and half the height of a speed plate, 24 by 30 inches.
    private static let halfWidthM = 0.305
    private static let halfHeightM = 0.38
    /// Middle of a speed plate above the road, m: its lower edge at 1.7.
    private static let plateM = 2.08
    private static let white = CanvasColour.grey(240)
    private static let ink = CanvasColour.grey(20)
    private static let yellow = CanvasColour(red: 250, green: 205, blue: 20)

    /// The plate that restricts a round sign whose lowest point is `bottomM` above the road.
    static func paint(_ annex: SignFace.Annex, under bottomM: Double, on brush: SpriteBrush) throws(ImagingError) {
        let (high, low) = (bottomM - 0.03, bottomM - 0.36)
        let middle = (high + low) / 2
        try board(brush, -0.3, low, 0.3, high, white)
        switch annex {
        case .wet: try brush.write("WET", centreM: middle, height: 0.11)
        case .hours: try brush.write("22-6 h", centreM: middle, height: 0.1)
        case .lorries:
            try brush.rectangle(-0.2, middle - 0.05, 0.06, middle + 0.09, ink, corner: 0)
            try brush.rectangle(0.08, middle - 0.05, 0.2, middle + 0.05, ink, corner: 0.01)
            for x in [-0.13, -0.03, 0.13] { try brush.ellipse((x, middle - 0.06), 0.035, 0.035, ink) }
        case .trailers:
            try brush.rectangle(-0.22, middle - 0.05, -0.04, middle + 0.06, ink, corner: 0.02)
            try brush.rectangle(-0.04, middle - 0.03, 0.04, middle - 0.01, ink, corner: 0)
            try brush.rectangle(0.03, middle - 0.05, 0.22, middle + 0.02, ink, corner: 0.02)
            try brush.rectangle(0.07, middle, 0.17, middle + 0.08, ink, corner: 0.02)
            for x in [-0.13, 0.08, 0.17] { try brush.ellipse((x, middle - 0.06), 0.03, 0.03, ink) }
        }
    }

    /// A sign that is a plate, on the post that `brush` has already.
    static func paint(_ plate: SignFace.Plate, on brush: SpriteBrush) throws(ImagingError) {
        switch plate {
        case .limit(let number): try speedPlate(brush, "SPEED", "LIMIT", number)
        case .schoolLimit(let number):
            try speedPlate(brush, "SPEED", "LIMIT", number)
            try panel(brush, "SCHOOL", yellow)
            try board(brush, -halfWidthM, plateM - halfHeightM - 0.27, halfWidthM, plateM - halfHeightM - 0.01, white)
            try brush.write("WHEN", centreM: plateM - halfHeightM - 0.085, height: 0.07)
            try brush.write("FLASHING", centreM: plateM - halfHeightM - 0.195, height: 0.07)
        case .truckLimit(let number):
            try speedPlate(brush, "SPEED", "LIMIT", number)
            try panel(brush, "TRUCKS", white)
        case .minimum(let number): try speedPlate(brush, "MINIMUM", "SPEED", number)
        case .advice(let number, let isRamp):
            try board(brush, -0.3, plateM - 0.3, 0.3, plateM + 0.3, yellow)
            if isRamp { try brush.write("RAMP", centreM: plateM + 0.18, height: 0.1) }
            try brush.write(String(number), centreM: plateM - (isRamp ? 0.01 : -0.06), height: isRamp ? 0.17 : 0.24)
            try brush.write("MPH", centreM: plateM - 0.2, height: 0.08)
        case .routeShield(let number):
            let outline: [SpriteBrush.Point] = SpriteBrush.mirrored([
                (0, plateM - 0.3), (0.2, plateM - 0.15), (0.29, plateM + 0.05), (0.22, plateM + 0.27), (0, plateM + 0.3),
            ])
            try brush.fill(outline, CanvasColour(red: 20, green: 70, blue: 160), smoothing: 1)
            try brush.rectangle(-0.2, plateM + 0.13, 0.2, plateM + 0.25, CanvasColour(red: 190, green: 25, blue: 40))
            try brush.write(String(number), centreM: plateM - 0.04, height: 0.2, colour: .grey(245))
        }
    }

    private static func speedPlate(_ brush: SpriteBrush, _ first: String, _ second: String, _ number: Int) throws(ImagingError) {
        try board(brush, -halfWidthM, plateM - halfHeightM, halfWidthM, plateM + halfHeightM, white)
        try brush.write(first, centreM: plateM + 0.27, height: first.count > 5 ? 0.09 : 0.11)
        try brush.write(second, centreM: plateM + 0.1, height: 0.11)
        try brush.write(String(number), centreM: plateM - 0.17, height: 0.27)
    }

    private static func panel(_ brush: SpriteBrush, _ word: String, _ colour: CanvasColour) throws(ImagingError) {
        let low = plateM + halfHeightM + 0.01
        try board(brush, -halfWidthM, low, halfWidthM, low + 0.2, colour)
        try brush.write(word, centreM: low + 0.1, height: 0.09)
    }

    /// A board with a dark line near its edge.
    private static func board(
        _ brush: SpriteBrush, _ left: Double, _ low: Double, _ right: Double, _ high: Double, _ colour: CanvasColour
    ) throws(ImagingError) {
        try brush.rectangle(left, low, right, high, colour)
        try brush.rectangle(left + 0.012, low + 0.012, right - 0.012, high - 0.012, ink)
        try brush.rectangle(left + 0.03, low + 0.03, right - 0.03, high - 0.03, colour)
    }
}
