/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, on every machine and in every version of Swift.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator for `purpose`, so that one seed feeds several independent streams.
    public init(seed: UInt64, purpose: String) {
        // FNV-1a of the purpose; Swift's own hash differs from run to run.
        let hash = purpose.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ hash
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number of `range`, all equally likely.
    public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
    }

    /// A number about 0 with the given standard deviation: the sum of twelve uniforms, which is as normal as a receiver's noise.
    public mutating func normal(sd: Double) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + uniform(0...1) } * sd
    }

    /// One of `choices`, which must not be empty.
    public mutating func pick<T>(_ choices: [T]) -> T { choices[Int(next() % UInt64(choices.count))] }
}
