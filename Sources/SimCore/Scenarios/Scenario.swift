import FleetModel

/// A drive as a timeline: where everything is at any time. Pure; the same seed gives the same drive.
public struct Scenario: Sendable {
    /// A speed-limit sign of the scenario.
    public struct LimitSign: Hashable, Sendable {
        /// Along the road, m.
        public var positionM: Double
        /// What it says.
        public var limit: Speed
    }

    /// Its name on the command line.
    public var name: String
    /// Seconds.
    public var durationS: Double
    /// The ego vehicle along the road; its camera's position.
    public var ego: MotionProfile
    /// Everybody else.
    public var actors: [Actor]
    /// Signs in the order of their positions.
    public var signs: [LimitSign]
    /// Near edges of pedestrian crossings along the road, m.
    public var crossingsM: [Double]
    /// What holds before the first sign.
    public var initialLimit: Speed
    /// Bend of the whole road, 1 / radius in 1/m, to the right positive; 0 for a straight road.
    public var curvaturePerM = 0.0
    /// Near edges of bridges over the road, along it, m.
    public var bridgesM: [Double] = []

    /// The world at `t` seconds.
    public func snapshot(at t: Double) -> WorldSnapshot {
        let ego = ego.state(at: t)
        let objects = actors.compactMap { object($0, at: t, ego) }
        let passed = signs.last { $0.positionM <= ego.positionM }
        let ahead = signs.filter { $0.positionM > ego.positionM }.map {
            WorldSnapshot.Sign(
                face: .limit($0.limit), distanceM: $0.positionM - ego.positionM,
                lateralM: Street.signM + bendM($0.positionM - ego.positionM))
        }
        return WorldSnapshot(
            timeS: t, ego: ego, objects: objects, signs: ahead, crossingsM: crossingsM.map { $0 - ego.positionM },
            bridgesM: bridgesM.map { $0 - ego.positionM }, limit: passed?.limit ?? initialLimit)
    }

    /// How far the middle of the ego lane lies beside straight ahead at a distance (circle, to second order).
    private func bendM(_ distanceM: Double) -> Double { curvaturePerM * distanceM * distanceM / 2 }

    private func object(_ actor: Actor, at t: Double, _ ego: MotionProfile.State) -> WorldSnapshot.Object? {
        let (along, across) = (actor.along.state(at: t), actor.across.state(at: t))
        let distance = along.positionM - ego.positionM
        guard distance > 0 else { return nil }
        return WorldSnapshot.Object(
            id: actor.id, shape: actor.shape, facing: actor.facing, distanceM: distance,
            lateralM: across.positionM + bendM(distance), fromPathM: across.positionM, closingMps: ego.speedMps - along.speedMps,
            speedMps: along.speedMps,
            isBraking: along.accelerationMps2 < -0.5 || (along.speedMps == 0 && abs(across.positionM) < Street.rightEdgeM),
            acrossM: across.positionM)
    }
}
