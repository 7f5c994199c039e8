extension Alert {
    /// Why this alert cannot be what a vehicle meant to say, or nil when nothing speaks against it.
    ///
    /// Decoding has checked types; this checks ranges, so that what is stored can be shown and computed with.
    public var implausibility: String? {
        if !(1...1_000_000).contains(revision) { return "revision is not 1...1000000" }
        if !SequenceNumber.range.contains(seq) { return "seq is not 0...\(SequenceNumber.range.upperBound)" }
        if !boot.isShortPlainText(64) { return "boot is not a short text" }
        if !software.isShortPlainText(64) { return "software is not a short text" }
        if let model, !model.isShortPlainText(128) { return "model is not a short text" }
        if !monotonicS.isMeasure { return "monotonicS is negative or too large" }
        if (phase == .end) != (endedAt != nil) { return "endedAt does not fit phase" }
        if phase != .end, endReason != nil { return "endReason does not fit phase" }
        if [at, startedAt, endedAt ?? at].contains(where: { $0 > Self.latestTime }) { return "a time is after the year 2100" }
        if let speedMps, !(0...200).contains(speedMps) { return "speedMps is not 0...200" }
        if let sessionTimeS, !(0...1e7).contains(sessionTimeS) { return "sessionTimeS is not 0...10000000" }
        return position?.implausibility ?? missingDetails ?? overspeed?.implausibility ?? collision?.implausibility
            ?? headway?.implausibility ?? landmark?.implausibility ?? snapshot?.implausibility
    }

    /// 2101-01-01: clocks run wrong by decades (GPS week rollovers), not by millennia.
    private static let latestTime = Timestamp(secondsSinceEpoch: 4_133_980_800)

    private var missingDetails: String? {
        let isGiven =
            switch kind {
            case .overspeed: overspeed != nil
            case .collision: collision != nil
            case .headway: headway != nil
            case .landmark: landmark != nil
            }
        return isGiven ? nil : "\(kind.rawValue) without its details"
    }
}

extension AlertPosition {
    /// Why this is no place on Earth, or nil.
    public var implausibility: String? {
        if !(-90...90).contains(lat) || !(-180...180).contains(lon) { return "position is not on Earth" }
        if let headingDeg, !(0...360).contains(headingDeg) { return "headingDeg is not 0...360" }
        if let accuracyM, !accuracyM.isMeasure { return "accuracyM is negative or too large" }
        return nil
    }
}

extension OverspeedDetails {
    /// Why these cannot be meant, or nil.
    var implausibility: String? {
        if let reason = limit.implausibility { return "overspeed.limit \(reason)" }
        // Half a metre per second is rounding; 60 mph taken for 60 km/h is ten.
        if abs(limitMps - limit.metresPerSecond) > 0.5 { return "overspeed.limitMps is not \(limit)" }
        if let limitMinMps, !(0...200).contains(limitMinMps) { return "overspeed.limitMinMps is not 0...200" }
        if !(0...200).contains(toleranceMps) { return "overspeed.toleranceMps is not 0...200" }
        if !(0...1).contains(confidence) { return "overspeed.confidence is not 0...1" }
        if !(0...200).contains(maxSpeedMps) { return "overspeed.maxSpeedMps is not 0...200" }
        if !(0...200).contains(meanSpeedMps) { return "overspeed.meanSpeedMps is not 0...200" }
        if !distanceM.isMeasure { return "overspeed.distanceM is negative or too large" }
        return durationS.isMeasure ? nil : "overspeed.durationS is negative or too large"
    }
}

extension CollisionDetails {
    /// Why these cannot be meant, or nil.
    var implausibility: String? {
        // Nothing is refused for being negative: shifted to the bumper, what is about to be hit can be nearer than nothing.
        if let ttcS, !abs(ttcS).isMeasure { return "collision.ttcS is out of range" }
        if let minTtcS, !abs(minTtcS).isMeasure { return "collision.minTtcS is out of range" }
        if let distanceM, !abs(distanceM).isMeasure { return "collision.distanceM is out of range" }
        if let distanceSdM, !distanceSdM.isMeasure { return "collision.distanceSdM is negative or too large" }
        if let closingMps, !(-400...400).contains(closingMps) { return "collision.closingMps is not -400...400" }
        if !box.isWithinUnitSquare { return "collision.box is not within 0...1" }
        if gates.count > 32 || !gates.allSatisfy({ $0.isShortPlainText(64) }) { return "collision.gates is too long" }
        let isSeries = ttcSeries.count <= 600 && ttcSeries.allSatisfy { $0.count == 2 && $0.allSatisfy { abs($0).isMeasure } }
        return isSeries ? nil : "collision.ttcSeries is not a list of pairs"
    }
}

extension HeadwayDetails {
    /// Why these cannot be meant, or nil.
    var implausibility: String? {
        if !timeHeadwayS.isMeasure { return "headway.timeHeadwayS is negative or too large" }
        if let leadSpeedMps, !(-200...200).contains(leadSpeedMps) { return "headway.leadSpeedMps is not -200...200" }
        return nil
    }
}

extension LandmarkDetails {
    /// Why these cannot be meant, or nil.
    var implausibility: String? {
        if !name.isShortPlainText(128) { return "landmark.name is not a short text" }
        if !(-1...1).contains(score) { return "landmark.score is not -1...1" }
        return box.isWithinUnitSquare ? nil : "landmark.box is not within 0...1"
    }
}

extension SnapshotReference {
    /// Why this cannot be meant, or nil.
    var implausibility: String? {
        let isDigest =
            sha256.utf8.count == 64 && sha256.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        if !isDigest { return "snapshot.sha256 is not 64 hexadecimal digits" }
        if !(1...16_384).contains(width) || !(1...16_384).contains(height) { return "snapshot size is not 1...16384" }
        if let sessionTimeS, !(0...1e7).contains(sessionTimeS) { return "snapshot.sessionTimeS is not 0...10000000" }
        if let box, !box.isWithinUnitSquare { return "snapshot.box is not within 0...1" }
        return nil
    }
}

extension Speed {
    /// Why this is no speed that a sign or a vehicle can state, or nil.
    var implausibility: String? {
        (0...200).contains(metresPerSecond) ? nil : "is not 0...200 m/s"
    }
}

extension Box {
    /// Whether the box lies in the unit square, give or take a rounding error.
    public var isWithinUnitSquare: Bool {
        x >= -0.001 && y >= -0.001 && maxX <= 1.001 && maxY <= 1.001 && width >= 0 && height >= 0
    }
}

extension Double {
    /// Whether this can be a length, a span of time or a distance: not negative, not beyond what any vehicle ever measures.
    var isMeasure: Bool { (0...1e12).contains(self) }
}

extension String {
    /// Whether this is a name or a version: at most `limit` bytes, no control characters.
    func isShortPlainText(_ limit: Int) -> Bool {
        utf8.count <= limit && unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}
