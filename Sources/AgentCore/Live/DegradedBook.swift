import FleetModel

/// Which degraded states hold and since when; what the heartbeat lists.
public struct DegradedBook: Sendable {
    private var since: [DegradedCode: Timestamp] = [:]

    /// Nothing is degraded.
    public init() {}

    /// Makes `codes` the states that hold at `now`: new ones begin, those no longer named end. Returns what changed.
    public mutating func update(_ codes: Set<DegradedCode>, at now: Timestamp) -> (begun: [DegradedCode], ended: [DegradedCode]) {
        let begun = codes.filter { since[$0] == nil }
        let ended = since.keys.filter { !codes.contains($0) }
        for code in begun { since[code] = now }
        for code in ended { since[code] = nil }
        return (begun.sorted { $0.rawValue < $1.rawValue }, ended.sorted { $0.rawValue < $1.rawValue })
    }

    /// What holds, in the order of the codes.
    public var degradations: [Degradation] {
        since.map { Degradation(code: $0.key, since: $0.value) }.sorted { $0.code.rawValue < $1.code.rawValue }
    }
}
