import Foundation

/// Box sides as probability distributions over bins: softmax, expectation, times the stride (generalised focal loss, Li et al. 2020).
enum DistributionDecoder {
    /// Bins a side.
    static let bins = 8

    /// Distances to left, top, right, bottom in input pixels, from 4 × 8 raw values starting at `start`.
    static func distances(_ values: [Float], at start: Int, stride: Double) -> (
        left: Double, top: Double, right: Double, bottom: Double
    ) {
        (
            expectation(values, at: start) * stride, expectation(values, at: start + bins) * stride,
            expectation(values, at: start + 2 * bins) * stride, expectation(values, at: start + 3 * bins) * stride
        )
    }

    private static func expectation(_ values: [Float], at start: Int) -> Double {
        var largest = values[start]
        for i in 1..<bins { largest = max(largest, values[start + i]) }
        var (sum, weighted) = (0.0, 0.0)
        for i in 0..<bins {
            let e = exp(Double(values[start + i] - largest))
            sum += e
            weighted += e * Double(i)
        }
        return weighted / sum
    }
}
