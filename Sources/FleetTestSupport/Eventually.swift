import FleetRuntime

/// Waits until `condition` holds, looking every 20 ms; false when it does not within `timeout` seconds.
public func eventually(timeout: Double = 10, _ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = MonotonicTime.now() + timeout
    while true {
        if try await condition() { return true }
        if MonotonicTime.now() > end { return false }
        try? await Task.sleep(for: .milliseconds(20))
    }
}
