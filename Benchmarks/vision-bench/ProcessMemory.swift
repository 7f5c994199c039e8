import FoundationEssentials

/// Memory of this process, as the kernel counts it (proc(5)).
enum ProcessMemory {
    /// The largest resident set so far, in MiB; 0 where the kernel does not say.
    static var peakMiB: Int {
        guard let data = FileManager.default.contents(atPath: "/proc/self/status") else { return 0 }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0.trimmingPrefix("\t")) }
        return (kibibytes ?? 0) / 1024
    }
}
