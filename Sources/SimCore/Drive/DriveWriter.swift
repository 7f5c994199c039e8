import Capture
import FleetModel
import FleetRuntime
import Foundation
import Imaging

/// Renders a drive into a session: video, telemetry, and the truth about every frame.
///
/// Equal settings give equal frames (before encoding), telemetry and truth, byte for byte. The video file came out equal from run to run of
/// the program too, but that is the encoder's affair: x264 promises it for one build on one kind of machine only. One thread at a time.
public struct DriveWriter {
    private let settings: DriveSettings
    private static let sessionFiles = ["session.json", "video.mp4", "frames.csv", "telemetry.jsonl", "truth.jsonl"]

    /// A writer of the drive that `settings` describe.
    public init(_ settings: DriveSettings) { self.settings = settings }

    /// Writes the session; `progress` hears the share that is done. Throws `UserError`.
    public func write(progress: (Double) -> Void) throws {
        let scenario = settings.scenario.scenario(seed: settings.seed, speedMps: settings.speedMps)
        let durationS = settings.durationS ?? scenario.durationS
        let frameCount = max(1, Int((durationS * settings.framesPerSecond).rounded()))
        try clearFolder()
        let session = try SessionWriter(
            path: settings.folder, vehicle: "sim-\(scenario.name)", startedAt: settings.startedAt, startS: 0,
            framesPerSecond: settings.framesPerSecond, camera: settings.camera.calibration)
        var track = TelemetryTrack(scenario: scenario, seed: settings.seed)
        for fix in track.fixes(durationS: durationS) { try session.write(fix) }
        let truth = try LineFile(path: settings.folder + "/truth.jsonl")
        do {
            let renderer = try DriveRenderer(
                camera: settings.camera, seed: settings.seed, curvaturePerM: scenario.curvaturePerM)
            for number in 0..<frameCount {
                try Task.checkCancellation()
                let timeS = Double(number) / settings.framesPerSecond
                let world = scenario.snapshot(at: timeS)
                let frame = try renderer.render(world, number: number)
                try session.write(CapturedFrame(frame: frame, index: number, timeS: timeS))
                try truth.append(WireCodec.encode(TruthLine(world, frame: number, camera: settings.camera)))
                progress(Double(number + 1) / Double(frameCount))
            }
        } catch let error as ImagingError {
            throw UserError(.software, "rendering failed: \(error)")
        }
        try truth.close()
        try session.finish()
    }

    /// Removes an old session where that is allowed; anything else in the folder is left alone and refused.
    private func clearFolder() throws {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: settings.folder, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else { throw UserError(.ioError, "\(settings.folder): is a file, not a folder") }
        let present = (try? files.contentsOfDirectory(atPath: settings.folder)) ?? []
        guard !present.isEmpty else { return }
        guard settings.replaces else {
            throw UserError(
                .ioError, "\(settings.folder): is not empty; choose another folder, or --force to replace the session in it")
        }
        for name in present where Self.sessionFiles.contains(name) {
            do {
                try files.removeItem(atPath: settings.folder + "/" + name)
            } catch {
                throw UserError(.ioError, "\(settings.folder)/\(name): cannot be removed (\(error.localizedDescription))")
            }
        }
    }
}
