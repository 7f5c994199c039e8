import FleetModel
import WorldModel

/// The content of `session.json`.
struct SessionDescription: Codable {
    /// The version that this code reads and writes.
    static let version = 1

    struct Camera: Codable {
        var width: Int
        var height: Int
        var focalLengthPx: Double
        var principalPointPx: [Double]?
        var heightM: Double?
        var pitchDeg: Double?
    }

    var version: Int
    var vehicle: String
    var startedAt: Timestamp
    var video: String?
    var frames: String?
    var fps: Double?
    var camera: Camera?

    /// What is wrong beyond the types; nil when nothing is.
    var implausibility: String? {
        if version != Self.version { return "version \(version) is not known; this program reads version \(Self.version)" }
        if !VehicleIdentity.isValid(vehicle) { return "vehicle must be 1 to 64 letters, digits, _ and -" }
        if (video == nil) == (frames == nil) { return "needs either video (a file) or frames (a folder of images)" }
        if let fps, !(0.1...1000).contains(fps) { return "fps \(fps) is not within 0.1 and 1000" }
        return camera?.implausibility
    }
}

extension SessionDescription.Camera {
    init(_ calibration: CameraCalibration) {
        width = calibration.width
        height = calibration.height
        focalLengthPx = calibration.focalLengthPx
        principalPointPx = [calibration.principalPointX, calibration.principalPointY]
        heightM = calibration.heightM
        pitchDeg = calibration.pitchDeg
    }

    var calibration: CameraCalibration {
        CameraCalibration(
            width: width, height: height, focalLengthPx: focalLengthPx, principalPointX: principalPointPx?.first,
            principalPointY: principalPointPx?.last, heightM: heightM, pitchDeg: pitchDeg ?? 0)
    }

    /// The ranges are those of the agent's configuration.
    var implausibility: String? {
        if !(1...32_768).contains(width) || !(1...32_768).contains(height) {
            return "camera.width and camera.height must be 1 to 32768"
        }
        if !(10...100_000).contains(focalLengthPx) { return "camera.focalLengthPx must be 10 to 100000" }
        if let point = principalPointPx, point.count != 2 || !point.allSatisfy({ abs($0) <= 65_536 }) {
            return "camera.principalPointPx must be two numbers, [x, y]"
        }
        if let heightM, !(0.2...6).contains(heightM) { return "camera.heightM must be 0.2 to 6" }
        if let pitchDeg, !(-30...30).contains(pitchDeg) { return "camera.pitchDeg must be -30 to 30" }
        return nil
    }
}
