import FleetModel

/// How much a row matters when not everything can be kept; the higher number stays.
///
/// The policy in one line: superseded updates go first, then snapshots, then alerts by rising severity, within one severity updates before
/// starts and ends, and of equals the oldest. A critical alert goes only when nothing else is left. Gap events never go.
enum Importance {
    /// An update that a later waiting revision has overtaken; decided when room is made, not stored.
    static let supersededUpdate = 0
    static let snapshot = 1
    /// The least of the critical rows: accepted as long as the disk takes anything.
    static let critical = 8
    static let gap = 10

    /// 2...9.
    static func of(_ severity: Severity, _ phase: AlertPhase) -> Int {
        let rank = Severity.allCases.firstIndex(of: severity) ?? 0
        return 2 + 2 * rank + (phase == .update ? 0 : 1)
    }

    /// Free bytes that the disk must have for a row to be accepted, when `reserve` bytes are one step: seven steps for a snapshot, six for
    /// an update of an info alert, none for a critical alert.
    static func minimumFreeBytes(_ importance: Int, reserve: Int64) -> Int64 { Int64(max(0, critical - importance)) * reserve }

    /// Free bytes at which everything is accepted again: two steps above the highest threshold, so that it does not toggle.
    static func plentyBytes(reserve: Int64) -> Int64 { minimumFreeBytes(snapshot, reserve: reserve) + 2 * reserve }
}
