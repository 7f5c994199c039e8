import FleetModel
import Imaging
import WorldModel

/// Looks for landmarks in the frames of a drive, at most ten times a second. Belongs to one thread.
public final class LandmarkWatch {
    /// Seconds between two looks: a landmark is in sight for a second and more, and every look costs.
    public static let lookEveryS = 0.1
    /// Frames a little early for their time are looked at, so that 10 and 30 frames a second are looked at evenly.
    private static let earlyS = 0.01

    /// A template and its name.
    private struct Entry {
        let name: String
        let template: LandmarkTemplate
        let leastScore: Double
    }

    private var entries: [Entry] = []
    private var lastLookS = -Double.infinity

    /// Looks for nothing yet.
    public init() {}

    /// Looks for `picture` too, from correlation `leastScore` on. Throws what `LandmarkTemplate` throws.
    public func add(
        _ name: String, _ picture: borrowing Frame, leastScore: Double = 0.9, range: LandmarkTemplate.Range = .init()
    ) throws(ImagingError) {
        entries.append(
            Entry(name: name, template: try LandmarkTemplate(picture, range: range), leastScore: leastScore))
    }

    /// What is seen in `frame`, taken at `timeS`; empty when nothing is, or when it is not yet time to look again.
    public func look(at frame: borrowing Frame, atS timeS: Double) throws(ImagingError) -> [LandmarkSighting] {
        guard !entries.isEmpty, timeS - lastLookS >= Self.lookEveryS - Self.earlyS || timeS < lastLookS else { return [] }
        lastLookS = timeS
        let (width, height) = (Double(frame.width), Double(frame.height))
        let pyramid = try GreyPyramid(frame)
        var seen: [LandmarkSighting] = []
        for entry in entries {
            guard let found = try entry.template.find(in: pyramid, leastScore: entry.leastScore) else { continue }
            let box = Box(x: found.box.x, y: found.box.y, width: found.box.width, height: found.box.height)
            guard let visible = box.clipped(width: width, height: height) else { continue }
            seen.append(
                LandmarkSighting(name: entry.name, score: min(1, found.score), box: visible.scaled(x: 1 / width, y: 1 / height)))
        }
        return seen
    }
}
