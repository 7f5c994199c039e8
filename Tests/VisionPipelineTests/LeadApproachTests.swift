import FleetModel
import FleetTestSupport
import Foundation
import Imaging
import Perception
import Testing
import VisionPipeline
import WorldModel

/// Real frames against lidar: the own car rolls up to a braking lead, and the same three times as fast.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared")) struct LeadApproachTests {
    struct Truth {
        var ttcS: Double
        var distanceM: Double
        var box: Box
    }

    struct Outcome {
        var errors: [Double] = []
        var distanceErrors: [Double] = []
        var alerts: [Alert] = []
    }

    static func truth() throws -> [Truth] {
        let text = try String(contentsOfFile: SharedData.path("vision/kitti_lead_approach/lead_truth.csv"), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            let c = line.split(separator: ",").map { Double($0) ?? .infinity }
            return Truth(ttcS: c[5], distanceM: c[2], box: Box(x: c[6], y: c[7], width: c[8], height: c[9]))
        }
    }

    /// Replays the frames at `rate` with the embedded model; errors as `eval/ttc.py` counts them.
    static func replay(rate: Double) throws -> Outcome {
        var detector = try RoadUserDetector(modelPath: nil)
        var settings = Pipeline.Settings()
        settings.camera = CameraCalibration(
            width: 1242, height: 375, focalLengthPx: 721.54, principalPointX: 609.56, principalPointY: 172.85, heightM: 1.65)
        var pipeline = try PipelineTests.pipeline(settings)
        var outcome = Outcome()
        for (i, truth) in try truth().enumerated() {
            let name = String(format: "%04d.jpg", i)
            let frame = try Frame.read(path: SharedData.path("vision/kitti_lead_approach/frames/" + name))
            let found = try detector.detect(in: frame)
            let result = try pipeline.process(
                frame, detections: found, index: i, ego: .unknown, at: PipelineTests.moment(Double(i) / rate))
            outcome.alerts += result.alerts
            let lead = result.world.objects.filter { $0.box.iou(truth.box) >= 0.4 }.max {
                $0.box.iou(truth.box) < $1.box.iou(truth.box)
            }
            if let distanceM = lead?.distanceM { outcome.distanceErrors.append(abs(distanceM / truth.distanceM - 1)) }
            guard i >= 10, truth.ttcS < 12 else { continue }
            let trueS = truth.ttcS * 10 / rate
            outcome.errors.append(lead?.timeToCollision.map { abs($0.seconds / trueS - 1) } ?? 1)
        }
        outcome.errors.sort()
        outcome.distanceErrors.sort()
        return outcome
    }

    @Test("At 10 Hz the time to collision is right within 8 % and nothing is warned of")
    func slow() throws {
        let outcome = try Self.replay(rate: 10)
        #expect(outcome.errors.count == 40)
        #expect(outcome.errors[20] <= 0.08)
        #expect(outcome.errors[36] <= 0.2)
        #expect(outcome.distanceErrors[outcome.distanceErrors.count / 2] <= 0.15)
        #expect(outcome.alerts.isEmpty)
    }

    @Test("Three times as fast a warning fires")
    func fast() throws {
        let outcome = try Self.replay(rate: 30)
        #expect(outcome.errors[20] <= 0.08)
        #expect(outcome.errors[36] <= 0.2)
        #expect(outcome.alerts.contains { $0.severity == .warning && $0.kind == .collision })
        #expect(!outcome.alerts.contains { $0.severity == .critical }, "the true minimum is 1.91 s")
    }
}
