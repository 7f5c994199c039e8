import Foundation

/// Times in bounded memory: buckets that grow by 2 %, from 0.1 ms up.
public struct LatencyHistogram: Sendable {
    private static let firstS = 0.0001
    private static let growth = 1.02
    /// 1,000 buckets of 2 % reach beyond 10 hours.
    private var buckets = [Int](repeating: 0, count: 1000)

    /// How many times were noted.
    public private(set) var count = 0
    /// The longest of them, in s.
    public private(set) var maximumS = 0.0

    /// Empty.
    public init() {}

    /// Notes one time in s.
    public mutating func add(_ seconds: Double) {
        let index = seconds <= Self.firstS ? 0 : Int((log(seconds / Self.firstS) / log(Self.growth)).rounded(.up))
        buckets[min(index, buckets.count - 1)] += 1
        count += 1
        maximumS = max(maximumS, seconds)
    }

    /// The time in s that `share` (0...1) of the noted ones do not exceed, to 2 %; nil when there are none.
    public func percentile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        let wanted = max(1, Int((share * Double(count)).rounded(.up)))
        var seen = 0
        for (index, number) in buckets.enumerated() {
            seen += number
            if seen >= wanted { return min(Self.firstS * pow(Self.growth, Double(index)), maximumS) }
        }
        return maximumS
    }
}
