import FleetRuntime
import Foundation
import Imaging

/// Finds the OpenVINO runtime: a folder that holds `libopenvino_c.so*`.
///
/// Looked at in this order: `$FLEET_OPENVINO`, `lib/fleet-safety/openvino` of the installation the program is in, `.tools/openvino` of the
/// checkout it was built in, the loader's standard path. Never the working directory.
public enum OpenVINOLocator {
    /// The engine to use, and why, in one line for a person.
    public static func find() -> (engine: InferenceEngine?, explanation: String) {
        find(in: folders(configured: ProcessInfo.processInfo.environment["FLEET_OPENVINO"]))
    }

    static func find(in folders: [String]) -> (engine: InferenceEngine?, explanation: String) {
        var reasons: [String] = []
        for folder in folders {
            guard let problem = InferenceEngine.openVINOProblem(folder: folder) else {
                return (.openVINO(folder: folder), "OpenVINO from \(folder)")
            }
            reasons.append(problem)
        }
        guard let problem = InferenceEngine.openVINOProblem(folder: nil) else {
            return (.openVINO(folder: nil), "OpenVINO of the system")
        }
        reasons.append(problem)
        return (nil, reasons.joined(separator: "; "))
    }

    /// `configured` is the value of `$FLEET_OPENVINO`; a relative one depends on the working directory and is not looked at.
    static func folders(configured: String?) -> [String] {
        var folders: [String] = []
        if let configured, configured.hasPrefix("/") { folders.append(configured) }
        folders.append(InstallationFolder.prefix + "/lib/fleet-safety/openvino")
        if let checkout = InstallationFolder.checkout { folders.append(checkout + "/.tools/openvino") }
        return folders
    }
}
