import FleetModel

/// The times from frame to decision since the last heartbeat, for its median and 99th percentile.
public struct PerceptionTimes: Sendable {
    private var milliseconds: [Double] = []
    /// Bound on what is kept: ten seconds at 100 frames a second. Later ones replace the oldest.
    private static let capacity = 1000
    private var next = 0

    /// Nothing measured yet.
    public init() {}

    /// Adds one frame's time.
    public mutating func add(milliseconds value: Double) {
        if milliseconds.count < Self.capacity {
            milliseconds.append(value)
        } else {
            milliseconds[next] = value
            next = (next + 1) % Self.capacity
        }
    }

    /// Frames counted since the last `take`.
    public var count: Int { milliseconds.count }

    /// The percentiles (nearest rank), and starts anew; nil when no frame came.
    public mutating func take() -> Heartbeat.PerceptionTime? {
        guard !milliseconds.isEmpty else { return nil }
        let sorted = milliseconds.sorted()
        func percentile(_ p: Double) -> Double { sorted[min(sorted.count - 1, Int(p * Double(sorted.count)))].rounded(toPlaces: 1) }
        milliseconds = []
        next = 0
        return Heartbeat.PerceptionTime(p50: percentile(0.5), p99: percentile(0.99))
    }
}
