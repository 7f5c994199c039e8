import FleetModel
import Foundation
import Imaging
import SafetyRules
import Testing
import VisionPipeline
import WorldModel

@Suite struct AnnotatorTests {
    /// Whatever is not copyable cannot be required by the macro.
    static func black() throws -> Frame {
        guard let frame = Frame(width: 1280, height: 720) else { throw CancellationError() }
        return frame
    }

    /// Runs the approach at 80 km/h in a 50 zone and draws every frame; returns the last result and picture while both episodes last.
    static func drawn(speedMps: Double?) throws -> Frame {
        var pipeline = try PipelineTests.pipeline(limit: Speed(50, .kilometresPerHour))
        var annotator = Annotator(signs: try OverlaySigns())
        var picture = try Self.black()
        for frame in PipelineTests.approach.prefix(80) {
            var ego = EgoState(mode: 3, degraded: [])
            ego.speedMps = speedMps
            ego.fixTimeS = speedMps == nil ? nil : frame.t
            let result = pipeline.process(
                detections: frame.detections, size: try #require(frame.size), index: frame.frame, ego: ego,
                at: PipelineTests.moment(frame.t))
            picture = try Self.black()
            try annotator.annotate(&picture, with: result)
        }
        return picture
    }

    static func samples(_ frame: borrowing Frame, x: Int, y: Int) -> [Int] {
        (0..<3).map { Int(frame.sample(x: x, y: y, channel: $0) ?? 0) }
    }

    @Test("A collision object is outlined in red, and a limit sign stands in the corner while too fast")
    func both() throws {
        let picture = try Self.drawn(speedMps: 80 / 3.6)
        let last = PipelineTests.approach[79].detections[0].box
        // The box is smoothed: its lower edge is within a few pixels of the detection's.
        let rows = (Int(last.maxY) - 20...Int(last.maxY) + 20).map { Self.samples(picture, x: Int(last.midX), y: $0) }
        #expect(rows.contains { $0[2] > 200 && $0[1] < 100 }, "the lower edge of the box is red: \(rows)")
        // Two signs stand below the banner, one above the other, their middles 70 px from the right edge; one of them is the limit's, whose
        // ring is 0.76 to 0.97 of 56 px.
        let isLimit = [56 + 14 + 56, 56 + 14 + 112 + 10 + 56].map { middle in
            let ring = Self.samples(picture, x: 1280 - 70 - 48, y: middle)
            let ground = Self.samples(picture, x: 1280 - 70, y: middle - 34)
            return ring[2] > 150 && ring[1] < 60 && ground.allSatisfy { $0 > 220 }
        }
        #expect(isLimit.contains(true), "one of the signs is a red ring on white")
        // The banner says what is most severe; its colour is the severity's.
        let banner = Self.samples(picture, x: 20, y: 20)
        #expect(banner[2] > 150 && banner[0] < 80, "the banner is red or orange: \(banner)")
    }

    @Test("Without an overspeed there is no sign")
    func noSign() throws {
        let picture = try Self.drawn(speedMps: nil)
        for middle in [56 + 14 + 56, 56 + 14 + 112 + 10 + 56] {
            let ring = Self.samples(picture, x: 1280 - 70 - 48, y: middle)
            #expect(!(ring[2] > 150 && ring[1] < 60), "\(ring)")
        }
    }
}
