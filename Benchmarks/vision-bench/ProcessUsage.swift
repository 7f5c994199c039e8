import Glibc

/// What this process has used so far, as the kernel counts it (getrusage(2)).
enum ProcessUsage {
    /// Processor time of all threads, user and system, in s.
    static var processorS: Double {
        let usage = current
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The largest resident set, in MiB.
    static var peakMiB: Int { current.ru_maxrss / 1024 }

    private static var current: rusage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
}
