import FleetModel
import Imaging
import Testing

@testable import Perception

@Suite("Fitting a picture in and boxes back out")
struct LetterboxTests {
    private func input(_ width: Int, _ height: Int, _ fit: NetworkInput.Fit) -> NetworkInput {
        NetworkInput(width: width, height: height, fit: fit, redFirst: false, mean: [0, 0, 0], scale: [1, 1, 1], padding: 0)
    }

    struct Fitting: Sendable {
        var picture: [Int]
        var input: [Int]
        var fit: NetworkInput.Fit
        var scale: [Double]
        var offset: [Double]
    }

    static let fittings: [Fitting] = [
        // 1280 × 720 into 640 × 384: factor 0.5, 640 × 360, 24 rows below (12 above and below when centred).
        Fitting(picture: [1280, 720], input: [640, 384], fit: .topLeft, scale: [0.5, 0.5], offset: [0, 0]),
        Fitting(picture: [1280, 720], input: [640, 384], fit: .centre, scale: [0.5, 0.5], offset: [0, 12]),
        Fitting(picture: [1280, 720], input: [640, 384], fit: .stretch, scale: [0.5, 0.53333333], offset: [0, 0]),
        // 480 × 960 into a square of 320: factor 1/3, 160 × 320, 80 columns left and right.
        Fitting(picture: [480, 960], input: [320, 320], fit: .topLeft, scale: [0.33333333, 0.33333333], offset: [0, 0]),
        Fitting(picture: [480, 960], input: [320, 320], fit: .centre, scale: [0.33333333, 0.33333333], offset: [80, 0]),
        // 1242 × 375 into 320: 320 / 1242 × 375 = 96.6, rounded to 97 rows.
        Fitting(picture: [1242, 375], input: [320, 320], fit: .topLeft, scale: [0.25764895, 0.25866667], offset: [0, 0]),
    ]

    @Test("Scale and corner, worked by hand", arguments: fittings)
    func forward(_ f: Fitting) {
        let letterbox = Letterbox(
            pictureWidth: f.picture[0], pictureHeight: f.picture[1], input: input(f.input[0], f.input[1], f.fit))
        #expect(abs(letterbox.scaleX - f.scale[0]) < 1e-8)
        #expect(abs(letterbox.scaleY - f.scale[1]) < 1e-8)
        #expect([letterbox.offsetX, letterbox.offsetY] == f.offset)
    }

    @Test("A box comes back in the picture's pixels")
    func back() {
        let topLeft = Letterbox(pictureWidth: 1280, pictureHeight: 720, input: input(640, 384, .topLeft))
        #expect(topLeft.picture(left: 100, top: 50, right: 150, bottom: 90) == Box(x: 200, y: 100, width: 100, height: 80))
        let centre = Letterbox(pictureWidth: 1280, pictureHeight: 720, input: input(640, 384, .centre))
        #expect(centre.picture(left: 100, top: 62, right: 150, bottom: 102) == Box(x: 200, y: 100, width: 100, height: 80))
        let stretch = Letterbox(pictureWidth: 1000, pictureHeight: 500, input: input(500, 500, .stretch))
        #expect(stretch.picture(left: 50, top: 50, right: 100, bottom: 150) == Box(x: 100, y: 50, width: 100, height: 100))
    }

    @Test("A box is clipped to the picture; what lies in the padding, is turned round or is no number is none")
    func clipping() {
        let letterbox = Letterbox(pictureWidth: 640, pictureHeight: 320, input: input(640, 384, .topLeft))
        #expect(letterbox.picture(left: -20, top: 300, right: 10, bottom: 340) == Box(x: 0, y: 300, width: 10, height: 20))
        #expect(letterbox.picture(left: 10, top: 330, right: 20, bottom: 380) == nil)
        #expect(letterbox.picture(left: 20, top: 30, right: 10, bottom: 80) == nil)
        #expect(letterbox.picture(left: .nan, top: 30, right: 10, bottom: 80) == nil)
        #expect(letterbox.picture(left: 0, top: 0, right: .infinity, bottom: 80) == nil)
    }
}
