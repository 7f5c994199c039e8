import FleetModel
import FleetRuntime
import FleetStore
import Glibc

/// Notes in the audit log what was done by a command on the machine.
enum ConsoleAudit {
    static func record(_ action: String, _ detail: String, in store: any AlertStore) async throws {
        try await store.record(
            AuditEntry(at: WallClock.now(), name: user, role: "admin", client: "console", action: action, detail: detail))
    }

    /// Who sits there: also behind sudo, where the process is root's.
    private static var user: String {
        if let name = getenv("SUDO_USER").map({ String(cString: $0) }), !name.isEmpty { return name.printable }
        guard let entry = getpwuid(getuid()) else { return "uid \(getuid())" }
        return String(cString: entry.pointee.pw_name)
    }
}
