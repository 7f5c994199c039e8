import FleetRuntime
import Foundation

/// Finds the description of a model to use.
///
/// Looked at in this order: the configured path, `$FLEET_MODELS`, `share/fleet-safety/models` of the installation the program is in, and
/// the build's own resources. Never the working directory.
public enum ModelLocator {
    /// File name of the embedded road-user detector's description.
    public static let embeddedName = "road-users.model.yaml"
    /// File name of the embedded sign reader's description.
    public static let embeddedReaderName = "sign-reader.model.yaml"

    /// Path of the description: `configured`, or the one called `embedded`. Throws `UserError` that names every place looked at.
    public static func locate(configured: String?, embedded: String = embeddedName) throws -> String {
        if let configured {
            guard FileManager.default.fileExists(atPath: configured) else {
                throw UserError(
                    .noInput,
                    "model description \(configured) is not there; give the path of a NAME.model.yaml, or none for the embedded model"
                )
            }
            return configured
        }
        let places = candidates(embedded)
        if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) { return found }
        throw missing(places, embedded)
    }

    static func missing(_ places: [String], _ name: String = embeddedName) -> UserError {
        UserError(
            .noInput,
            "no model: looked for \(places.joined(separator: ", ")); install the program with `make install`, or set FLEET_MODELS to the folder with \(name)"
        )
    }

    static func candidates(_ name: String = embeddedName) -> [String] {
        var folders: [String] = []
        if let folder = ProcessInfo.processInfo.environment["FLEET_MODELS"], folder.hasPrefix("/") { folders.append(folder) }
        folders.append(InstallationFolder.share + "/models")
        folders += BuildResources.folders(target: "Perception").map { $0 + "/Models" }
        return folders.map { $0 + "/" + name }
    }
}
