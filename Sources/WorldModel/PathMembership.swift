/// Whether a road user is in the own path, over time: what flickers about the edge of the corridor is not.
///
/// Time inside counts up and time outside counts down, within a bound; two thresholds keep the answer from flickering itself.
struct PathMembership: Hashable, Sendable {
    /// Inside for this much longer than outside makes it a member, in s: no longer than a track needs to be told from noise anyway.
    static let entersAfterS = 0.2
    /// What is counted at most, in s: a member is let go after 0.2 s outside.
    static let mostS = 0.3
    /// Below this it is a member no more, in s.
    static let leavesAtS = 0.1

    private var insideS = 0.0
    private var lastS: Double?
    /// The answer.
    private(set) var isMember = false

    /// Takes in the judgement of the moment `now`.
    mutating func observe(isInside: Bool, atS now: Double) {
        // A gap says nothing about what was in it.
        let elapsed = min(max(0, now - (lastS ?? now)), Self.mostS)
        lastS = now
        insideS = min(max(0, insideS + (isInside ? elapsed : -elapsed)), Self.mostS)
        if insideS >= Self.entersAfterS - 1e-9 { isMember = true }
        if insideS < Self.leavesAtS { isMember = false }
    }
}
