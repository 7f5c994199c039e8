import FoundationEssentials

/// Alerts as vehicles write them, read without the general decoder: it takes several times longer than everything else that happens to an alert
/// on its way into the store. What is read is exactly what the general decoder would have read; where that is not sure, nil is returned.
extension Alert {
    init?(examined payload: Data) {
        let read = payload.withUnsafeBytes { raw -> Alert? in
            var cursor = JSONCursor(raw.bindMemory(to: UInt8.self))
            do throws(JSONCursor.Unusual) {
                let alert = try Alert(&cursor)
                try cursor.end()
                return alert
            } catch { return nil }
        }
        guard let read else { return nil }
        self = read
    }

    private init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        var (schema, id, revision, phase): (String?, AlertID?, Int64?, AlertPhase?)
        var (kind, severity, origin, clock): (AlertKind?, Severity?, AlertOrigin?, ClockState?)
        var (fleet, vehicle, boot, software, model): (String?, String?, String?, String?, String?)
        var (at, startedAt, endedAt, endReason): (Timestamp?, Timestamp?, Timestamp?, EndReason?)
        var (monotonicS, seq, speedMps, sessionTimeS): (Double?, Int64?, Double?, Double?)
        var (position, overspeed, collision): (AlertPosition?, OverspeedDetails?, CollisionDetails?)
        var (headway, landmark, snapshot): (HeadwayDetails?, LandmarkDetails?, SnapshotReference?)
        try cursor.object { cursor, key throws(JSONCursor.Unusual) in
            switch key {
            case "schema": schema = try cursor.string()
            case "id": id = AlertID(try cursor.string())
            case "revision": revision = try cursor.integer()
            case "phase": phase = try cursor.value(AlertPhase.self)
            case "kind": kind = try cursor.value(AlertKind.self)
            case "severity": severity = try cursor.value(Severity.self)
            case "fleet": fleet = try cursor.string()
            case "vehicle": vehicle = try cursor.string()
            case "origin": origin = try cursor.value(AlertOrigin.self)
            case "at": at = try Timestamp(&cursor)
            case "startedAt": startedAt = try Timestamp(&cursor)
            case "endedAt": endedAt = try cursor.optional(Timestamp.init)
            case "endReason":
                endReason = try cursor.optional { cursor throws(JSONCursor.Unusual) in try cursor.value(EndReason.self) }
            case "clock": clock = try cursor.value(ClockState.self)
            case "boot": boot = try cursor.string()
            case "monotonicS": monotonicS = try cursor.double()
            case "seq": seq = try cursor.integer()
            case "position": position = try cursor.optional(AlertPosition.init)
            case "speedMps": speedMps = try cursor.optionalDouble()
            case "overspeed": overspeed = try cursor.optional(OverspeedDetails.init)
            case "collision": collision = try cursor.optional(CollisionDetails.init)
            case "headway": headway = try cursor.optional(HeadwayDetails.init)
            case "landmark": landmark = try cursor.optional(LandmarkDetails.init)
            case "snapshot": snapshot = try cursor.optional(SnapshotReference.init)
            case "software": software = try cursor.string()
            case "model": model = try cursor.optional { cursor throws(JSONCursor.Unusual) in try cursor.string() }
            case "sessionTimeS": sessionTimeS = try cursor.optionalDouble()
            default: throw JSONCursor.Unusual()
            }
        }
        guard schema == Self.schema, let id, let revision, let phase, let kind, let severity, let fleet, let vehicle, let origin,
            let at,
            let startedAt, let clock, let boot, let monotonicS, let seq, let software,
            let identity = VehicleIdentity(fleet: fleet, vehicle: vehicle)
        else { throw JSONCursor.Unusual() }
        self.init(
            id: id, kind: kind, severity: severity, identity: identity, origin: origin, at: at, clock: clock, boot: boot,
            monotonicS: monotonicS, software: software)
        self.revision = Int(revision)
        self.phase = phase
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.endReason = endReason
        self.seq = seq
        self.position = position
        self.speedMps = speedMps
        self.overspeed = overspeed
        self.collision = collision
        self.headway = headway
        self.landmark = landmark
        self.snapshot = snapshot
        self.model = model
        self.sessionTimeS = sessionTimeS
    }
}

extension JSONCursor {
    fileprivate mutating func optionalDouble() throws(Unusual) -> Double? { null() ? nil : try double() }
}

extension Timestamp {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        guard let time = Timestamp(try cursor.string()) else { throw JSONCursor.Unusual() }
        self = time
    }
}

extension AlertPosition {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        var (lat, lon, headingDeg, accuracyM): (Double?, Double?, Double?, Double?)
        try cursor.object { cursor, key throws(JSONCursor.Unusual) in
            switch key {
            case "lat": lat = try cursor.double()
            case "lon": lon = try cursor.double()
            case "headingDeg": headingDeg = try cursor.optionalDouble()
            case "accuracyM": accuracyM = try cursor.optionalDouble()
            default: throw JSONCursor.Unusual()
            }
        }
        guard let lat, let lon else { throw JSONCursor.Unusual() }
        self.init(lat: lat, lon: lon, headingDeg: headingDeg, accuracyM: accuracyM)
    }
}

extension OverspeedDetails {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        var (limit, source): (Speed?, LimitSource?)
        var (limitMps, limitMinMps, toleranceMps, confidence): (Double?, Double?, Double?, Double?)
        var (maxSpeedMps, meanSpeedMps, distanceM, durationS): (Double?, Double?, Double?, Double?)
        try cursor.object { cursor, key throws(JSONCursor.Unusual) in
            switch key {
            case "limit": limit = try Speed(&cursor)
            case "limitMps": limitMps = try cursor.double()
            case "limitMinMps": limitMinMps = try cursor.optionalDouble()
            case "toleranceMps": toleranceMps = try cursor.double()
            case "source": source = try cursor.value(LimitSource.self)
            case "confidence": confidence = try cursor.double()
            case "maxSpeedMps": maxSpeedMps = try cursor.double()
            case "meanSpeedMps": meanSpeedMps = try cursor.double()
            case "distanceM": distanceM = try cursor.double()
            case "durationS": durationS = try cursor.double()
            default: throw JSONCursor.Unusual()
            }
        }
        guard let limit, let limitMps, let toleranceMps, let source, let confidence, let maxSpeedMps, let meanSpeedMps,
            let distanceM,
            let durationS
        else { throw JSONCursor.Unusual() }
        self.init(
            limit: limit, limitMps: limitMps, limitMinMps: limitMinMps, toleranceMps: toleranceMps, source: source,
            confidence: confidence, maxSpeedMps: maxSpeedMps, meanSpeedMps: meanSpeedMps, distanceM: distanceM, durationS: durationS
        )
    }
}

extension Speed {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        var (value, unit): (Double?, SpeedUnit?)
        try cursor.object { cursor, key throws(JSONCursor.Unusual) in
            switch key {
            case "value": value = try cursor.double()
            case "unit": unit = try cursor.value(SpeedUnit.self)
            default: throw JSONCursor.Unusual()
            }
        }
        guard let value, let unit else { throw JSONCursor.Unusual() }
        self.init(value, unit)
    }
}

extension CollisionDetails {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        var (roadUser, track, box): (RoadUserClass?, Int64?, Box?)
        var (gates, ttcSeries): ([String]?, [[Double]]?)
        var (ttcS, minTtcS, distanceM, distanceSdM, closingMps): (Double?, Double?, Double?, Double?, Double?)
        try cursor.object { cursor, key throws(JSONCursor.Unusual) in
            switch key {
            case "class": roadUser = try cursor.value(RoadUserClass.self)
            case "track": track = try cursor.integer()
            case "ttcS": ttcS = try cursor.optionalDouble()
            case "minTtcS": minTtcS = try cursor.optionalDouble()
            case "distanceM": distanceM = try cursor.optionalDouble()
            case "distanceSdM": distanceSdM = try cursor.optionalDouble()
            case "closingMps": closingMps = try cursor.optionalDouble()
            case "box": box = try Box(&cursor)
            case "gates": gates = try cursor.array { cursor throws(JSONCursor.Unusual) in try cursor.string() }
            case "ttcSeries":
                ttcSeries = try cursor.array { cursor throws(JSONCursor.Unusual) in
                    try cursor.array { cursor throws(JSONCursor.Unusual) in try cursor.double() }
                }
            default: throw JSONCursor.Unusual()
            }
        }
        guard let roadUser, let track, let box, let gates, let ttcSeries else { throw JSONCursor.Unusual() }
        self.init(
            roadUser: roadUser, track: Int(track), ttcS: ttcS, minTtcS: minTtcS, distanceM: distanceM, distanceSdM: distanceSdM,
            closingMps: closingMps, box: box, gates: gates, ttcSeries: ttcSeries)
    }
}

extension HeadwayDetails {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        var (timeHeadwayS, leadSpeedMps): (Double?, Double?)
        try cursor.object { cursor, key throws(JSONCursor.Unusual) in
            switch key {
            case "timeHeadwayS": timeHeadwayS = try cursor.double()
            case "leadSpeedMps": leadSpeedMps = try cursor.optionalDouble()
            default: throw JSONCursor.Unusual()
            }
        }
        guard let timeHeadwayS else { throw JSONCursor.Unusual() }
        self.init(timeHeadwayS: timeHeadwayS, leadSpeedMps: leadSpeedMps)
    }
}

extension LandmarkDetails {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        var (name, score, box): (String?, Double?, Box?)
        try cursor.object { cursor, key throws(JSONCursor.Unusual) in
            switch key {
            case "name": name = try cursor.string()
            case "score": score = try cursor.double()
            case "box": box = try Box(&cursor)
            default: throw JSONCursor.Unusual()
            }
        }
        guard let name, let score, let box else { throw JSONCursor.Unusual() }
        self.init(name: name, score: score, box: box)
    }
}

extension SnapshotReference {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        var (sha256, width, height): (String?, Int64?, Int64?)
        var (sessionTimeS, box): (Double?, Box?)
        try cursor.object { cursor, key throws(JSONCursor.Unusual) in
            switch key {
            case "sha256": sha256 = try cursor.string()
            case "width": width = try cursor.integer()
            case "height": height = try cursor.integer()
            case "sessionTimeS": sessionTimeS = try cursor.optionalDouble()
            case "box": box = try cursor.optional(Box.init)
            default: throw JSONCursor.Unusual()
            }
        }
        guard let sha256, let width, let height else { throw JSONCursor.Unusual() }
        self.init(sha256: sha256, width: Int(width), height: Int(height), sessionTimeS: sessionTimeS, box: box)
    }
}

extension Box {
    fileprivate init(_ cursor: inout JSONCursor) throws(JSONCursor.Unusual) {
        let numbers = try cursor.array { cursor throws(JSONCursor.Unusual) in try cursor.double() }
        guard numbers.count == 4 else { throw JSONCursor.Unusual() }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
