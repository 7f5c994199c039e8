import FleetModel
import RoadMap
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
        overspeed.warningExcess = configuration.overspeed.warningExcess
        overspeed.criticalExcess = configuration.overspeed.criticalExcess
        overspeed.longDurationS = configuration.overspeed.longDurationS
        collision.classes = configuration.collision.classes
        collision.cautionTtcS = configuration.collision.cautionTtcS
        collision.warningTtcS = configuration.collision.warningTtcS
        collision.criticalTtcS = configuration.collision.criticalTtcS
        collision.warningDecelerationMps2 = configuration.collision.warningDecelerationMps2
        collision.criticalDecelerationMps2 = configuration.collision.criticalDecelerationMps2
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

extension LimitFusion {
    /// The sources of limits that the configuration names.
    init(_ overspeed: OverspeedConfiguration) throws {
        let clock = overspeed.clock
        self.init(
            zones: try overspeed.zonesPath.map { try ZoneLimits(geoJSON: $0, clock: clock) },
            roads: try overspeed.mapPath.map { try MapFile(path: $0) }, clock: clock, defaultLimit: overspeed.defaultLimit)
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
