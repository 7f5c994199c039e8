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

    /// The parts of `range` that hold none of `known`, in rising order.
    static func holes(in range: ClosedRange<Int64>, of known: Set<Int64>) -> [ClosedRange<Int64>] {
        var holes: [ClosedRange<Int64>] = []
        var next = range.lowerBound
        for seq in known.sorted() where range.contains(seq) {
            if next < seq { holes.append(next...seq - 1) }
            next = seq + 1
        }
        if next <= range.upperBound { holes.append(next...range.upperBound) }
        return holes
    }
}
