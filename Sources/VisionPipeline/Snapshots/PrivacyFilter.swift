import FleetModel
import Imaging
import Perception
import WorldModel

/// Makes faces and number plates in a picture unrecognisable before the picture leaves the vehicle.
///
/// Errs on the side of covering: the upper part of every person and rider, the band of every vehicle in which plates are mounted, and
/// rows of writing near vehicles. docs/pictures.md tells how much it finds. One thread at a time.
public struct PrivacyFilter {
    /// Detections from this score on count: many more than the rules believe, because a box too many costs nothing here.
    public static let leastScore = 0.25
    /// Detections in an enlarged part count from this score on: there the detector sees things that it was not trained to see so large.
    private static let leastScoreInPart = 0.35
    /// The share of a person's height, from the top, that holds the head in every pose seen from a vehicle.
    private static let headShare = 0.36
    /// The share of a rider's and machine's height that does.
    private static let riderHeadShare = 0.42
    /// Where plates are mounted on a vehicle, as shares of its box: wide enough for one that is seen from the side.
    private static let plateBand = (left: 0.04, right: 0.96, top: 0.34, bottom: 0.96)
    /// The same for a motorcycle, whose box may hold its rider or not.
    private static let motorcyclePlateTop = 0.25
    /// Height in pixels below which no character of a vehicle's plate can be told: a plate is a twelfth of a car's height.
    private static let leastVehiclePx = 45.0
    /// Smallest height of writing in which characters can be told, in pixels.
    private static let leastWritingPx = 8.0

    private var detector: any Detector

    /// A filter that finds people and vehicles with `detector`, whose threshold should be `leastScore`.
    public init(detector: sending any Detector) { self.detector = detector }

    /// Obscures what could tell who somebody is; `known` are road users that were found before. Returns the parts, pixels.
    @discardableResult
    public mutating func obscure(_ picture: inout Frame, known: [Detection] = []) throws -> [Box] {
        let parts = try parts(in: picture, known: known)
        for part in parts {
            try picture.obscure(
                x: Int(part.x.rounded(.down)), y: Int(part.y.rounded(.down)), width: Int(part.width.rounded(.up)),
                height: Int(part.height.rounded(.up)))
        }
        return parts
    }

    /// The parts of `picture` that are to be obscured, pixels, cut to the picture.
    public mutating func parts(in picture: borrowing Frame, known: [Detection] = []) throws -> [Box] {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let roadUsers = known + (try found(in: picture))
        var parts = roadUsers.flatMap { Self.parts(of: $0) }
        let vehicles = roadUsers.filter(\.roadUser.hasPlate).map { $0.box.grown(by: 0.15) }
        for writing in try picture.plateCandidates() where writing.height >= Self.leastWritingPx {
            let box = Box(x: writing.x, y: writing.y, width: writing.width, height: writing.height)
            if vehicles.contains(where: { $0.holds(x: box.midX, y: box.midY) }) { parts.append(box.grown(by: 0.2)) }
        }
        return parts.compactMap { $0.clipped(width: width, height: height) }
    }

    /// What of one road user is to be obscured.
    static func parts(of roadUser: Detection) -> [Box] {
        let box = roadUser.box
        /// The box between two shares of its height, widened by a share of its width on both sides.
        func band(_ from: Double, _ to: Double, widened: Double) -> Box {
            Box(
                x: box.x - widened * box.width, y: box.y + from * box.height, width: box.width * (1 + 2 * widened),
                height: (to - from) * box.height)
        }
        switch roadUser.roadUser {
        case .person: return [band(-0.06, headShare, widened: 0.1)]
        case .bicycle: return [band(-0.06, riderHeadShare, widened: 0.1)]
        // A rider's box may begin at the machine: the head is looked for above it too.
        case .motorcycle: return [band(-0.25, riderHeadShare, widened: 0.1), band(motorcyclePlateTop, 1, widened: 0)]
        case .car, .bus, .truck:
            guard box.height >= leastVehiclePx else { return [] }
            return [
                Box(
                    x: box.x + plateBand.left * box.width, y: box.y + plateBand.top * box.height,
                    width: (plateBand.right - plateBand.left) * box.width,
                    height: (plateBand.bottom - plateBand.top) * box.height)
            ]
        }
    }

    /// Road users in the whole picture, and in three parts of its middle band, where far ones are: there they are twice as large.
    private mutating func found(in picture: borrowing Frame) throws -> [Detection] {
        var all = try detector.detect(in: picture)
        guard picture.width >= 640 else { return all }
        let (partWidth, partHeight) = (picture.width * 9 / 20, picture.height * 9 / 20)
        let top = picture.height * 3 / 10
        for left in [0, (picture.width - partWidth) / 2, picture.width - partWidth] {
            let part = try picture.cropped(x: left, y: top, width: partWidth, height: partHeight)
            all += try detector.detect(in: part).filter { $0.score >= Self.leastScoreInPart }.map { detection in
                var moved = detection
                moved.box.x += Double(left)
                moved.box.y += Double(top)
                return moved
            }
        }
        return all
    }
}

extension RoadUserClass {
    /// Whether such a vehicle carries a number plate.
    fileprivate var hasPlate: Bool { self != .person && self != .bicycle }
}

extension Box {
    /// The box with `share` of its size more on every side.
    fileprivate func grown(by share: Double) -> Box {
        Box(
            x: x - share * width, y: y - share * height, width: width * (1 + 2 * share), height: height * (1 + 2 * share))
    }

    /// Whether a point lies in it.
    fileprivate func holds(x px: Double, y py: Double) -> Bool { (x..<maxX).contains(px) && (y..<maxY).contains(py) }
}
