import WorldModel

/// A safety rule: its own state and a pure update. No clock, no I/O; time comes with the world state.
public protocol Rule: Sendable {
    /// The rule's name in logs.
    var name: String { get }
    /// How often the rule held an alert back, by the gate that did it, since the start.
    var suppressed: [String: Int] { get }
    /// Judges one moment. Moments come in the order of their time. An error ends this update alone.
    mutating func update(_ world: WorldState) throws -> [RuleEvent]
    /// Ends every open episode because the recording or the drive is over at `timeS`.
    mutating func stop(atS timeS: Double) -> [RuleEvent]
}
