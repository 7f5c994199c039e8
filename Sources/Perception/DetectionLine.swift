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
        let kind: SignKind
        let value: Double?
        let unit: SpeedUnit?
        let score: Double
        let box: Box
        /// Present and true where a plate at the sign says for whom or when it holds.
        let conditional: Bool?
    }

    let image: String
    let width: Int
    let height: Int
    let objects: [Object]
    let signs: [Sign]

    /// What was found in the image at `image`; boxes in its pixels.
    public init(image: String, width: Int, height: Int, detections: [Detection], signs sightings: [SignSighting] = []) {
        self.image = image
        self.width = width
        self.height = height
        objects = detections.map { Object(class: $0.roadUser, score: $0.score.rounded(toPlaces: 4), box: $0.box.roundedToTenths) }
        signs = sightings.compactMap { sighting in
            SignKind(sighting.kind).map {
                Sign(
                    kind: $0, value: sighting.limit?.value, unit: sighting.limit?.unit, score: sighting.score.rounded(toPlaces: 4),
                    box: sighting.box.roundedToTenths, conditional: sighting.hasAnnex == true ? true : nil)
            }
        }
    }

    /// What the sign reader says about the image at `image`, which is one candidate as a whole; an empty list when it says nothing.
    public init(image: String, width: Int, height: Int, reading: SignReading?) {
        self.image = image
        self.width = width
        self.height = height
        objects = []
        let whole = Box(x: 0, y: 0, width: Double(width), height: Double(height))
        signs =
            reading.map {
                [
                    Sign(
                        kind: $0.kind, value: $0.value.map(Double.init), unit: $0.unit(), score: $0.score.rounded(toPlaces: 4),
                        box: whole, conditional: nil)
                ]
            } ?? []
    }
}

extension SignKind {
    /// The word for a sighting that sets or ends a limit; nil for other things.
    init?(_ kind: SignSighting.Kind) {
        switch kind {
        case .limit: self = .speedLimit
        case .endOfLimit, .endOfAll: self = .endOfLimit
        case .other: return nil
        }
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
