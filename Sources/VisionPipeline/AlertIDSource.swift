import FleetModel
import FleetRuntime
import Foundation
import SafetyRules

/// The ids of a replay's alerts: UUIDv8 from SHA-256 over the session's digest, the vehicle, the kind and the episode's number, so
/// that the same recording gives the same ids everywhere. A replay that is dated anew is another drive, and its new start counts too.
public enum ReplayAlertID {
    /// A source of ids for one replay; `sessionDigest` is the digest of the session's content, `shiftedTo` when it starts instead of
    /// when it was recorded.
    public static func source(
        sessionDigest: [UInt8], shiftedTo start: Timestamp? = nil, vehicle: VehicleIdentity
    ) -> AlertGate.IDSource {
        { kind, ordinal, _ in
            var hash = SHA256()
            hash.update(Data(sessionDigest))
            if let start { hash.update(Data("\n\(start)".utf8)) }
            hash.update(Data("\n\(vehicle)\n\(kind.rawValue)\n\(ordinal)".utf8))
            return AlertID.v8(digest: hash.finish())
        }
    }
}

/// The ids of live alerts: random and ordered by time.
public enum LiveAlertID {
    /// A source of ids that draws from the system's generator.
    public static func source() -> AlertGate.IDSource {
        { _, _, at in
            var generator = SystemRandomNumberGenerator()
            return AlertID.v7(at: at, using: &generator)
        }
    }
}
