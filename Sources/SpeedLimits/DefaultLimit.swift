import FleetModel
import WorldModel

/// The configured limit that applies wherever nothing better is known, also where the position is not.
public struct DefaultLimit: SpeedLimitProvider {
    private let limit: SpeedLimit

    /// `limit` everywhere.
    public init(_ limit: Speed) { self.limit = SpeedLimit(limit, source: .configuration) }

    public func limit(for ego: EgoState) -> SpeedLimit? { limit }
}
