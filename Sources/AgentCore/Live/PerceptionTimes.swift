import FleetModel

/// The times from frame to decision since the last heartbeat, for its median and 99th percentile.
public struct PerceptionTimes: Sendable {
    private var milliseconds: [Double] = []
    /// Bound on what is kept: ten seconds at 100 frames a second. Later ones replace the oldest.
    private static let capacity = 1000
    private var next = 0
    private var frames = 0
    private var sinceS: Double?

    /// Nothing measured yet; time counts from `startS`.
    public init(startS: Double? = nil) { sinceS = startS }

    /// Adds one frame's time.
    public mutating func add(milliseconds value: Double) {
        frames += 1
        if milliseconds.count < Self.capacity {
            milliseconds.append(value)
        } else {
            milliseconds[next] = value
            next = (next + 1) % Self.capacity
        }
    }

    /// Frames per second since the last `take`, however long ago that was; nil before the first.
    public func framesPerSecond(atS nowS: Double) -> Double? {
        sinceS.flatMap { nowS > $0 ? Double(frames) / (nowS - $0) : nil }
    }

    /// The percentiles (nearest rank), and starts anew; nil when no frame came.
    public mutating func take(atS nowS: Double) -> Heartbeat.PerceptionTime? {
        sinceS = nowS
        frames = 0
        guard !milliseconds.isEmpty else { return nil }
        let sorted = milliseconds.sorted()
        func percentile(_ p: Double) -> Double { sorted[min(sorted.count - 1, Int(p * Double(sorted.count)))].rounded(toPlaces: 1) }
        milliseconds = []
        next = 0
        return Heartbeat.PerceptionTime(p50: percentile(0.5), p99: percentile(0.99))
    }
}
