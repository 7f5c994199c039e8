/// What `seq` may be: what every reader of JSON holds exactly (RFC 8259, section 6), and far from where sums overflow.
public enum SequenceNumber {
    /// 0...2^53-1.
    public static let range: ClosedRange<Int64> = 0...9_007_199_254_740_991
}
