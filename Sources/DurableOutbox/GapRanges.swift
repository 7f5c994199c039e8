import FleetModel

/// Sequence numbers that were dropped, as ranges.
enum GapRanges {
    /// The contiguous ranges of `seqs`, in rising order.
    static func ranges(of seqs: some Sequence<Int64>) -> [ClosedRange<Int64>] { joined(seqs.map { $0...$0 }) }

    /// `ranges` with those that touch or overlap made into one, in rising order.
    static func joined(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var result: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
