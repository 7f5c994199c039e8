import FleetModel
import FleetRuntime
import SimCore
import WorldModel

/// Stands in for a detector where hundreds of drives are wanted: the exact boxes of a drive with a detector's faults.
///
/// Edges are off by a share of the box and stay off for some frames, small and covered things are missed, confidence wanders, a class is
/// mistaken now and then, and boxes appear where nothing is. Equal seeds give equal faults.
struct NoisyDetector {
    /// How bad it is; sizes in pixels.
    struct Faults {
        /// An edge is off by this share of the box's side (1 standard deviation) ...
        var edge = 0.03
        /// ... of which this share is still there a tenth of a second later.
        var persistence = 0.6
        /// Share of clear sights that are missed anyway.
        var missed = 0.08
        /// Boxes lower than this are missed more often than not.
        var smallestPx = 16.0
        /// Share of frames with a box where nothing is.
        var phantoms = 0.03
    }

    private struct Fault {
        var edges = [0.0, 0.0, 0.0, 0.0]
        var score = 0.0
    }

    private let faults: Faults
    private var random: SeededGenerator
    private var states: [Int: Fault] = [:]

    init(seed: UInt64, faults: Faults = Faults()) {
        self.faults = faults
        random = SeededGenerator(seed: seed, purpose: "detector")
    }

    /// What it finds in the frame that `truth` describes.
    mutating func detect(_ truth: TruthLine, frame: FrameSize) -> [Detection] {
        var found = truth.objects.compactMap { detect($0, frame) }
        if random.uniform(0...1) < faults.phantoms {
            let (x, y) = (random.uniform(0...0.9) * frame.width, random.uniform(0.3...0.6) * frame.height)
            let box = Box(x: x, y: y, width: random.uniform(20...120), height: random.uniform(20...90))
            found.append(Detection(roadUser: .car, score: random.uniform(0.3...0.55), box: box))
        }
        return found
    }

    private mutating func detect(_ object: TruthLine.Object, _ frame: FrameSize) -> Detection? {
        var fault = states[object.id] ?? Fault()
        let fresh = (1 - faults.persistence * faults.persistence).squareRoot()
        for i in 0..<4 { fault.edges[i] = faults.persistence * fault.edges[i] + fresh * random.normal(sd: faults.edge) }
        fault.score = faults.persistence * fault.score + fresh * random.normal(sd: 0.12)
        states[object.id] = fault

        let isSmall = object.box.height < faults.smallestPx
        let missed = object.occluded > 0.6 ? 0.95 : object.occluded > 0.3 ? 0.4 : isSmall ? 0.7 : faults.missed
        guard random.uniform(0...1) >= missed else { return nil }
        let (w, h) = (object.box.width, object.box.height)
        let box = Box(
            x: object.box.x + fault.edges[0] * w, y: object.box.y + fault.edges[1] * h,
            width: w * (1 - fault.edges[0] + fault.edges[2]), height: h * (1 - fault.edges[1] + fault.edges[3]))
        let isMistaken = object.roadUserClass == .car && random.uniform(0...1) < 0.03
        return box.clipped(width: frame.width, height: frame.height).map {
            Detection(
                roadUser: isMistaken ? .truck : object.roadUserClass, score: min(max(0.7 + fault.score, 0.3), 0.98), box: $0)
        }
    }
}
