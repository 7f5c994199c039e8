import FleetModel

/// Sequence numbers that were dropped, as ranges.
enum GapRanges {
    /// The contiguous ranges of `seqs`, in rising order.
    static func ranges(of seqs: some Sequence<Int64>) -> [ClosedRange<Int64>] {
        var result: [ClosedRange<Int64>] = []
        for seq in seqs.sorted() {
            if let last = result.last, seq <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, seq)
            } else {
                result.append(seq...seq)
            }
        }
        return result
    }
}
