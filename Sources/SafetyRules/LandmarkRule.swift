import FleetModel
import WorldModel

/// Tells when the vehicle passes a landmark: an episode begins with its second sighting and ends when it has not been seen for a while.
///
/// One sighting alone may be chance; two within a second at the same template are not. It is no danger: the severity is `info`.
public struct LandmarkRule: Rule {
    /// The rule's numbers.
    public struct Settings: Hashable, Sendable {
        /// Seconds within which the second sighting must come.
        public var confirmWithinS = 1.0
        /// Seconds without a sighting after which the episode ends. The vehicle may stop behind something that hides the landmark.
        public var lostAfterS = 5.0

        /// The defaults.
        public init() {}
    }

    private struct Seen {
        var firstS: Double
        var lastS: Double
        var best: LandmarkSighting
        /// The episode's number once it is told.
        var episode: Int?
    }

    public let name = "landmark"
    public private(set) var suppressed: [String: Int] = [:]
    private let settings: Settings
    private var seen: [String: Seen] = [:]
    private var episodes = 0

    /// A rule with no landmark in sight.
    public init(settings: Settings = Settings()) { self.settings = settings }

    public mutating func update(_ world: WorldState) throws -> [RuleEvent] {
        var events: [RuleEvent] = []
        for sighting in world.landmarks { events += see(sighting, atS: world.timeS) }
        for (name, one) in seen.sorted(by: { $0.key < $1.key }) {
            if one.episode == nil {
                guard world.timeS - one.lastS > settings.confirmWithinS else { continue }
                suppressed["landmark-once", default: 0] += 1
                seen[name] = nil
            } else if world.timeS - one.lastS > settings.lostAfterS {
                events += end(one, atS: one.lastS, .lost)
                seen[name] = nil
            }
        }
        return events
    }

    public mutating func stop(atS timeS: Double) -> [RuleEvent] {
        defer { seen = [:] }
        return seen.sorted { $0.key < $1.key }.flatMap { end($0.value, atS: timeS, .stopped) }
    }

    private mutating func see(_ sighting: LandmarkSighting, atS timeS: Double) -> [RuleEvent] {
        guard var one = seen[sighting.name] else {
            seen[sighting.name] = Seen(firstS: timeS, lastS: timeS, best: sighting)
            return []
        }
        one.lastS = timeS
        if sighting.score > one.best.score { one.best = sighting }
        defer { seen[sighting.name] = one }
        guard one.episode == nil else { return [] }
        episodes += 1
        one.episode = episodes
        return [
            RuleEvent(
                episode: episodes, phase: .start, severity: .info, startedAtS: one.firstS, details: .landmark(.init(sighting)))
        ]
    }

    private func end(_ one: Seen, atS timeS: Double, _ reason: EndReason) -> [RuleEvent] {
        guard let episode = one.episode else { return [] }
        return [
            RuleEvent(
                episode: episode, phase: .end, severity: .info, startedAtS: one.firstS, ended: (timeS, reason),
                details: .landmark(.init(one.best)))
        ]
    }
}

extension LandmarkDetails {
    /// What the alert says of a sighting.
    init(_ sighting: LandmarkSighting) { self.init(name: sighting.name, score: sighting.score, box: sighting.box) }
}
