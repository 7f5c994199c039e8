import FleetModel
import WorldModel

/// The rules in their fixed order. One that fails is told of and does not stop the others.
public struct RuleSet: Sendable {
    /// A rule that threw.
    public struct Failure: Sendable {
        /// The rule's name.
        public let rule: String
        /// What it threw.
        public let error: any Error
    }

    private var rules: [any Rule]

    /// `rules`, asked in this order.
    public init(_ rules: [any Rule]) { self.rules = rules }

    /// The rules of a vehicle: overspeed, then collision, then headway, then landmarks.
    public init(
        overspeed: OverspeedRule.Settings = .init(), collision: CollisionRule.Settings = .init(),
        headway: HeadwayRule.Settings = .init()
    ) {
        rules = [
            OverspeedRule(settings: overspeed), CollisionRule(settings: collision), HeadwayRule(settings: headway), LandmarkRule(),
        ]
    }

    /// How often alerts were held back, by gate, since the start.
    public var suppressed: [String: Int] {
        rules.reduce(into: [:]) { total, rule in total.merge(rule.suppressed, uniquingKeysWith: +) }
    }

    /// Asks every rule about one moment.
    public mutating func update(_ world: WorldState) -> (events: [RuleEvent], failures: [Failure]) {
        var events: [RuleEvent] = []
        var failures: [Failure] = []
        for i in rules.indices {
            do {
                events += try rules[i].update(world)
            } catch {
                failures.append(Failure(rule: rules[i].name, error: error))
            }
        }
        return (events, failures)
    }

    /// Ends every open episode at `timeS`.
    public mutating func stop(atS timeS: Double) -> [RuleEvent] {
        var events: [RuleEvent] = []
        for i in rules.indices { events += rules[i].stop(atS: timeS) }
        return events
    }
}
