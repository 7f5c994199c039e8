extension Alert {
    /// Why this alert cannot be what a vehicle meant to say, or nil when nothing speaks against it.
    ///
    /// Decoding has checked types; this checks ranges, so that what is stored can be shown and computed with.
    public var implausibility: String? {
        if !(1...1_000_000).contains(revision) { return "revision is not 1...1000000" }
        if seq < 0 { return "seq is negative" }
        if boot.utf8.count > 64 || software.utf8.count > 64 || (model?.utf8.count ?? 0) > 128 { return "a text is too long" }
        if !monotonicS.isFinite || monotonicS < 0 { return "monotonicS is negative" }
        if (phase == .end) != (endedAt != nil) { return "endedAt does not fit phase" }
        if let speedMps, !(0...200).contains(speedMps) { return "speedMps is not 0...200" }
        if let sessionTimeS, !(0...1e7).contains(sessionTimeS) { return "sessionTimeS is not 0...10000000" }
        if let position, let reason = position.implausibility { return reason }
        return detailsImplausibility
    }

    private var detailsImplausibility: String? {
        let given: [AlertKind] =
            [
                overspeed.map { _ in .overspeed }, collision.map { _ in .collision }, headway.map { _ in .headway },
                landmark.map { _ in .landmark },
            ]
            .compactMap { $0 }
        if !given.contains(kind) { return "\(kind.rawValue) without its details" }
        if let o = overspeed {
            if !(0...200).contains(o.limitMps) || !(0...1).contains(o.confidence) { return "overspeed is out of range" }
            if ![o.maxSpeedMps, o.meanSpeedMps, o.distanceM, o.durationS].allSatisfy({ $0.isFinite && $0 >= 0 }) {
                return "overspeed is out of range"
            }
        }
        if let c = collision {
            if !c.box.isWithinUnitSquare { return "collision.box is not within 0...1" }
            if c.gates.count > 32 || c.gates.contains(where: { $0.utf8.count > 64 }) { return "collision.gates is too long" }
            if c.ttcSeries.count > 600 || c.ttcSeries.contains(where: { $0.count != 2 }) {
                return "collision.ttcSeries is not a list of pairs"
            }
        }
        if let l = landmark, l.name.utf8.count > 128 || !l.box.isWithinUnitSquare { return "landmark is out of range" }
        if let s = snapshot {
            let hexadecimal = s.sha256.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
            if s.sha256.utf8.count != 64 || !hexadecimal { return "snapshot.sha256 is not 64 hexadecimal digits" }
            if !(1...16_384).contains(s.width) || !(1...16_384).contains(s.height) { return "snapshot size is out of range" }
        }
        return nil
    }
}

extension AlertPosition {
    /// Why this is no place on Earth, or nil.
    public var implausibility: String? {
        if !(-90...90).contains(lat) || !(-180...180).contains(lon) { return "position is not on Earth" }
        if let headingDeg, !(0...360).contains(headingDeg) { return "headingDeg is not 0...360" }
        if let accuracyM, !(accuracyM >= 0 && accuracyM.isFinite) { return "accuracyM is negative" }
        return nil
    }
}

extension Box {
    /// Whether the box lies in the unit square, give or take a rounding error.
    public var isWithinUnitSquare: Bool {
        x >= -0.001 && y >= -0.001 && maxX <= 1.001 && maxY <= 1.001 && width >= 0 && height >= 0
    }
}
