import FleetModel
import Glibc

/// The computer's idea of the time of day.
public enum WallClock {
    /// Now, as the system clock has it; may jump.
    public static func now() -> Timestamp {
        var t = timespec()
        clock_gettime(CLOCK_REALTIME, &t)
        return Timestamp(millisecondsSinceEpoch: Int64(t.tv_sec) * 1000 + Int64(t.tv_nsec) / 1_000_000)
    }
}

/// Seconds that only ever grow.
public enum MonotonicTime {
    /// Seconds since the computer started, standby included; never jumps.
    public static func now() -> Double {
        var t = timespec()
        clock_gettime(CLOCK_BOOTTIME, &t)
        return Double(t.tv_sec) + Double(t.tv_nsec) * 1e-9
    }
}

/// Where services take the time from, so that a test can hold it still.
public protocol FleetClock: Sendable {
    /// The time of day.
    func wallTime() -> Timestamp
    /// Seconds on a clock that never jumps.
    func monotonicS() -> Double
}

/// The computer's clocks.
public struct SystemClock: FleetClock {
    /// The computer's clocks.
    public init() {}
    /// The system's time of day.
    public func wallTime() -> Timestamp { WallClock.now() }
    /// Seconds since the computer started.
    public func monotonicS() -> Double { MonotonicTime.now() }
}

/// The id of this boot of the computer.
public enum BootID {
    /// The kernel's boot id, a UUID in lower case; a fixed zero UUID where the kernel does not tell.
    public static func current() -> String {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return unknown }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 64)
        guard fgets(&buffer, 64, file) != nil else { return unknown }
        let text = String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return AlertID(text)?.description ?? unknown
    }

    private static let unknown = "00000000-0000-0000-0000-000000000000"
}
