/// One road of a map: a way of OpenStreetMap on which cars drive.
public struct MapWay: Hashable, Sendable {
    /// In which directions it may be driven.
    public enum Traffic: Int, Hashable, Sendable {
        case bothWays, forwardOnly, backwardOnly
    }

    /// OpenStreetMap's number of the way.
    public var id: Int64
    /// What kind of road it is.
    public var roadClass: RoadClass
    /// In which directions it may be driven.
    public var traffic: Traffic = .bothWays
    /// Whether it runs through a tunnel: no reception.
    public var isTunnel = false
    /// Whether it is a bridge.
    public var isBridge = false
    /// Its name or, without one, its number (`Main Street`, `A 9`); nil where it has neither.
    public var name: String?
    /// What is tagged about limits.
    public var limits: RoadLimits
    /// Its line, at least two places.
    public var shape: [MapPoint]

    /// A road that is open in both directions.
    public init(id: Int64, roadClass: RoadClass, limits: RoadLimits = RoadLimits(tags: [:]), shape: [MapPoint]) {
        self.id = id
        self.roadClass = roadClass
        self.limits = limits
        self.shape = shape
    }
}
