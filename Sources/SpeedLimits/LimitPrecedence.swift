import WorldModel

/// Several sources in the order of their precedence: the first that knows a limit decides.
public struct LimitPrecedence: SpeedLimitProvider {
    private var providers: [any SpeedLimitProvider]

    /// `providers`, the most trusted first: zones before the default.
    public init(_ providers: [any SpeedLimitProvider]) { self.providers = providers }

    public mutating func limit(for ego: EgoState) -> SpeedLimit? {
        for i in providers.indices {
            if let limit = providers[i].limit(for: ego) { return limit }
        }
        return nil
    }

    public mutating func observe(_ sign: AdoptedSign, ego: EgoState) {
        for i in providers.indices { providers[i].observe(sign, ego: ego) }
    }
}
