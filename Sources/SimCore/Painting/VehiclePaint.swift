import Imaging

/// Paints of cars and lorries, in the shares of a European car park: mostly grey, black and white, some blue and red.
enum VehiclePaint {
    private static let colours: [CanvasColour] = [
        CanvasColour(red: 40, green: 60, blue: 150), CanvasColour(red: 205, green: 200, blue: 198),
        CanvasColour(red: 52, green: 50, blue: 50), CanvasColour(red: 160, green: 40, blue: 40),
        CanvasColour(red: 130, green: 135, blue: 140), CanvasColour(red: 225, green: 225, blue: 222),
        CanvasColour(red: 70, green: 90, blue: 105), CanvasColour(red: 96, green: 100, blue: 92),
    ]

    static func colour(_ index: Int) -> CanvasColour { colours[index % colours.count] }

    /// The shades that a curved body of one colour shows.
    struct Shades {
        let lit: CanvasColour
        let middle: CanvasColour
        let dark: CanvasColour
        let gleam: CanvasColour

        init(_ body: CanvasColour) {
            lit = body.shaded(1.25, plus: 40)
            middle = body.shaded(0.8)
            dark = body.shaded(0.45)
            gleam = lit.shaded(1, plus: 55)
        }
    }

    static let rubber = CanvasColour(red: 26, green: 25, blue: 24)
    static let glassFrame = CanvasColour.grey(17)
    static let glassTop = CanvasColour(red: 92, green: 105, blue: 120)
    static let glassBottom = CanvasColour(red: 32, green: 34, blue: 38)
    static let plate = CanvasColour(red: 230, green: 230, blue: 224)
}
