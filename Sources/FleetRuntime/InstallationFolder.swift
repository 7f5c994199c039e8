import Glibc

/// Where the program lies, and what lies beside it.
public enum InstallationFolder {
    /// The folder that holds the executable, links resolved.
    public static let executableFolder: String = {
        guard let resolved = realpath("/proc/self/exe", nil) else { return FilePath.folder(of: CommandLine.arguments.first ?? "/") }
        defer { free(resolved) }
        return FilePath.folder(of: String(cString: resolved))
    }()

    /// `PREFIX` when the executable is `PREFIX/bin/PROGRAM`.
    public static var prefix: String { FilePath.folder(of: executableFolder) }

    /// `PREFIX/share/fleet-safety`.
    public static var share: String { FilePath.resolve("share/fleet-safety", from: prefix) }

    /// The checkout in whose `.build` folder the executable lies; nil for an installed program.
    public static let checkout: String? = {
        var folder = executableFolder
        while folder != "/", folder != "." {
            if FilePath.name(of: folder) == ".build" { return FilePath.folder(of: folder) }
            folder = FilePath.folder(of: folder)
        }
        return nil
    }()
}

/// The resources that the package manager puts beside the programs it builds.
public enum BuildResources {
    /// Folders in which the resources of `target` may lie: beside the executable, and for a test beside its bundle.
    public static func folders(target: String) -> [String] {
        var roots = [InstallationFolder.executableFolder]
        roots += CommandLine.arguments.filter { $0.contains(".xctest") }.map(bundleFolder)
        if let checkout = InstallationFolder.checkout { roots += [checkout + "/.build/debug", checkout + "/.build/release"] }
        return roots.map { FilePath.resolve("fleet-safety_\(target).resources", from: $0) }
    }

    /// The folder of a test bundle, given as `PATH/x.xctest` or as a file in it.
    private static func bundleFolder(_ argument: String) -> String {
        var path = argument
        while path.contains(".xctest"), path != "/" { path = FilePath.folder(of: path) }
        return path
    }
}
