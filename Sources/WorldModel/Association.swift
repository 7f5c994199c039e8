import FleetModel

/// Which detection belongs to which track: greedy by likeness, best first; ties by the order of the input, so always the same.
enum Association {
    /// One pairing by index.
    struct Pair: Hashable {
        var track: Int
        var detection: Int
    }

    /// Pairs `tracks` (predicted boxes) with `detections`; every index is used at most once.
    static func pairs(tracks: [Track], detections: [Detection], leastLikeness: Double) -> [Pair] {
        var candidates: [(likeness: Double, pair: Pair)] = []
        for (t, track) in tracks.enumerated() {
            let (box, roadUser) = (track.box, track.roadUser)
            for (d, detection) in detections.enumerated() {
                guard let penalty = penalty(roadUser, detection.roadUser) else { continue }
                let likeness = box.iou(detection.box) - penalty
                if likeness >= leastLikeness { candidates.append((likeness, Pair(track: t, detection: d))) }
            }
        }
        candidates.sort { ($1.likeness, $0.pair.track, $0.pair.detection) < ($0.likeness, $1.pair.track, $1.pair.detection) }
        var (tracksTaken, detectionsTaken) = (Set<Int>(), Set<Int>())
        return candidates.compactMap { candidate in
            let pair = candidate.pair
            guard !tracksTaken.contains(pair.track), !detectionsTaken.contains(pair.detection) else { return nil }
            tracksTaken.insert(pair.track)
            detectionsTaken.insert(pair.detection)
            return pair
        }
    }

    /// What is taken off the overlap when the classes differ; nil when they cannot be the same thing. Detectors often confuse
    /// car, bus and truck, sometimes a rider with a person, never a car with a person.
    static func penalty(_ a: RoadUserClass, _ b: RoadUserClass) -> Double? {
        if a == b { return 0 }
        switch (a.isVehicle, b.isVehicle) {
        case (true, true): return 0.05
        case (false, false): return a.isTwoWheeler && b.isTwoWheeler ? 0.05 : 0.2
        default: return nil
        }
    }
}
