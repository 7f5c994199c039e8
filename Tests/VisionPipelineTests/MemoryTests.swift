import Capture
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Perception
import SafetyRules
import SpeedLimits
import Testing
import VisionPipeline
import WorldModel

/// Whether memory stays where it is, however long the drive: `make test-long`, or this suite with FLEET_LONG_TESTS=1.
@Suite(.serialized) struct MemoryTests {
    /// Resident memory of this process in bytes, as the kernel counts it.
    static func residentBytes() throws -> Int {
        let pages = String(decoding: try FilePieces.contents(of: "/proc/self/statm", limit: 4096), as: UTF8.self).split(
            separator: " ")
        return (Int(pages[1]) ?? 0) * 4096
    }

    /// Frames of the recorded clips that go through, again and again: `FLEET_MEMORY_FRAMES`, 200,000 unless said otherwise.
    static let frames = ProcessInfo.processInfo.environment["FLEET_MEMORY_FRAMES"].flatMap(Int.init) ?? 200_000

    @Test(
        "Frames of looped clips through decoder, detector, tracker and rules let resident memory grow by less than 1 MiB per 50,000",
        .enabled(
            if: SharedData.isPresent && ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] == "1",
            "a long test; needs ../shared"))
    func steady() throws {
        let clips = ["tracking/otb_car4.mp4", "clips/moped_reverses_into_ego.mp4"].map { SharedData.path("vision/" + $0) }
        let context = AlertGate.Context(
            identity: SampleAlerts.identity, origin: .live, boot: "memory", software: "test", model: nil)
        var pipeline = Pipeline(
            detector: try RoadUserDetector(modelPath: nil), limits: LimitPrecedence([]),
            gate: AlertGate(context: context, makeID: LiveAlertID.source()))
        // Caches, pools and the allocator's arenas settle first.
        let settled = min(5_000, Self.frames / 5)
        var (count, timeS, before) = (0, 0.0, 0)
        while count < Self.frames {
            for clip in clips where count < Self.frames {
                let source = try SessionFrameSource(Session.open(clip))
                while count < Self.frames, let captured = try source.next() {
                    timeS += 1.0 / 30
                    let moment = Pipeline.Moment(at: .epoch.advanced(bySeconds: timeS), timeS: timeS, clock: .unsynchronised)
                    _ = try pipeline.process(captured.takeFrame(), index: count, ego: .unknown, at: moment)
                    count += 1
                    if count == settled { before = try Self.residentBytes() }
                    if count % 10_000 == 0 { print("frames \(count) resident \(try Self.residentBytes() >> 10) KiB") }
                }
            }
        }
        let grown = Double(try Self.residentBytes() - before) / 1_048_576
        let allowed = max(1, Double(count - settled) / 50_000)
        print("\(count) frames: resident memory grew by \(grown.rounded(toPlaces: 2)) MiB after the first \(settled)")
        #expect(grown < allowed)
    }
}
