import FleetModel
import SafetyRules
import SpeedLimits
import VisionPipeline
import WorldModel

extension Pipeline.Settings {
    /// The numbers that the configuration gives to the rules.
    init(_ configuration: AgentConfiguration, camera: CameraCalibration?) {
        self.init()
        self.camera = camera
        bumperOffsetM = configuration.camera.bumperOffsetM
        overspeed.tolerance = configuration.overspeed.tolerance
        overspeed.tolerancePercent = configuration.overspeed.tolerancePercent
        overspeed.minimumDurationS = configuration.overspeed.minimumDurationS
        overspeed.hysteresis = configuration.overspeed.hysteresis
        collision.classes = configuration.collision.classes
        collision.cautionTtcS = configuration.collision.cautionTtcS
        collision.warningTtcS = configuration.collision.warningTtcS
        collision.criticalTtcS = configuration.collision.criticalTtcS
        collision.persistenceS = configuration.collision.persistenceS
        collision.minimumSpeedMps = configuration.collision.minimumSpeed.metresPerSecond
        collision.minimumScore = configuration.collision.minimumScore
        collision.minimumPersonScore = configuration.collision.minimumPersonScore
        collision.clearAfterS = configuration.collision.clearAfterS
        collision.refractoryS = configuration.collision.refractoryS
        headway.cautionS = configuration.headway.cautionS
        headway.warningS = configuration.headway.warningS
        headway.persistenceS = configuration.headway.persistenceS
        headway.minimumSpeedMps = configuration.headway.minimumSpeed.metresPerSecond
    }
}

extension LimitPrecedence {
    /// The sources of limits that the configuration names: zones before the default.
    static func configured(_ overspeed: OverspeedConfiguration) throws -> LimitPrecedence {
        var providers: [any SpeedLimitProvider] = []
        if let path = overspeed.zonesPath { providers.append(try ZoneLimits(geoJSON: path)) }
        if let limit = overspeed.defaultLimit { providers.append(DefaultLimit(limit)) }
        return LimitPrecedence(providers)
    }
}

extension CameraConfiguration {
    /// The calibration that the configuration states for a frame of its own size; nil without a focal length.
    func calibration() -> CameraCalibration? {
        guard let focalLengthPx, let width, let height else { return nil }
        let centre = principalPointPx ?? [Double(width) / 2, Double(height) / 2]
        return CameraCalibration(
            width: width, height: height, focalLengthPx: focalLengthPx, principalPointX: centre[0], principalPointY: centre[1],
            heightM: heightM, pitchDeg: pitchDeg)
    }
}
