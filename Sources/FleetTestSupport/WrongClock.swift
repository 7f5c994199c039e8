import Foundation

/// A time of day for a program of the system's that is not the machine's (libfaketime).
///
/// Not for Swift programs: they look for their arguments beside the environment, which the library moves.
public enum WrongClock {
    private static let library: String? = {
        let folder = "/usr/lib"
        let architectures = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return architectures.map { "\(folder)/\($0)/faketime/libfaketime.so.1" }.first(where: FileManager.default.fileExists)
    }()

    /// Whether libfaketime is installed.
    public static var isPresent: Bool { library != nil }

    /// The environment of a program for which it is `seconds` later than it is.
    public static func ahead(bySeconds seconds: Int) -> [String: String] {
        ["LD_PRELOAD": library ?? "", "FAKETIME": "+\(seconds)"]
    }
}
