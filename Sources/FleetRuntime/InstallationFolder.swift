import Foundation

/// Where the program lies, and what lies beside it.
public enum InstallationFolder {
    /// The folder that holds the executable, links resolved.
    public static let executableFolder: String = {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first ?? "/"
        return URL(filePath: path).deletingLastPathComponent().path()
    }()

    /// `PREFIX` when the executable is `PREFIX/bin/PROGRAM`.
    public static var prefix: String { URL(filePath: executableFolder).deletingLastPathComponent().path().trimmedSlash }

    /// `PREFIX/share/fleet-safety`.
    public static var share: String { prefix + "/share/fleet-safety" }

    /// The checkout in whose `.build` folder the executable lies; nil for an installed program.
    public static let checkout: String? = {
        var folder = URL(filePath: executableFolder)
        while folder.path() != "/" {
            if folder.lastPathComponent == ".build" { return folder.deletingLastPathComponent().path().trimmedSlash }
            folder = folder.deletingLastPathComponent()
        }
        return nil
    }()
}

/// The resources that the package manager puts beside the programs it builds.
public enum BuildResources {
    /// Folders in which the resources of `target` may lie: beside the executable, and for a test beside its bundle.
    public static func folders(target: String) -> [String] {
        let name = "fleet-safety_\(target).resources"
        var roots = [InstallationFolder.executableFolder.trimmedSlash]
        roots.append(Bundle.main.bundleURL.path().trimmedSlash)
        roots += CommandLine.arguments.filter { $0.hasSuffix(".xctest") }.map {
            URL(filePath: $0).deletingLastPathComponent().path().trimmedSlash
        }
        if let checkout = InstallationFolder.checkout { roots += [checkout + "/.build/debug", checkout + "/.build/release"] }
        return roots.map { $0 + "/" + name }
    }
}

extension String {
    fileprivate var trimmedSlash: String { hasSuffix("/") && count > 1 ? String(dropLast()) : self }
}
