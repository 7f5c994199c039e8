import Foundation

/// The folder of real recordings beside the checkout; tests that want it are skipped where it is missing.
public enum SharedData {
    /// `$FLEET_SHARED`, or `../shared` beside the repository.
    public static let root: URL =
        ProcessInfo.processInfo.environment["FLEET_SHARED"].map { URL(filePath: $0) }
        ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared").standardizedFileURL

    /// Whether the folder is there.
    public static var isPresent: Bool { FileManager.default.fileExists(atPath: root.appending(path: "vision/README.md").path()) }

    /// The path of one file in it.
    public static func path(_ relative: String) -> String { root.appending(path: relative).path() }
}
