import FleetModel
import WorldModel

/// One line of `fleet-agent detect --json`: what was found in one image.
public struct DetectionLine: Encodable, Sendable {
    /// A road user.
    public struct Object: Encodable, Sendable {
        let `class`: RoadUserClass
        let score: Double
        let box: Box
    }

    /// A sign.
    public struct Sign: Encodable, Sendable {
        let kind: String
        let value: Double?
        let unit: SpeedUnit?
        let score: Double
        let box: Box
    }

    let image: String
    let width: Int
    let height: Int
    let objects: [Object]
    let signs: [Sign]

    /// What was found in the image at `image`; boxes in its pixels.
    public init(image: String, width: Int, height: Int, detections: [Detection]) {
        self.image = image
        self.width = width
        self.height = height
        objects = detections.map { Object(class: $0.roadUser, score: $0.score.rounded(toPlaces: 4), box: $0.box.roundedToTenths) }
        signs = []
    }
}

extension Box {
    /// The box with a tenth of a pixel, as files carry it.
    public var roundedToTenths: Box {
        Box(
            x: x.rounded(toPlaces: 1), y: y.rounded(toPlaces: 1), width: width.rounded(toPlaces: 1),
            height: height.rounded(toPlaces: 1))
    }
}
