import FleetModel
import Foundation
import Perception
import Testing

@testable import VisionPipeline

@Suite struct SignPassTests {
    /// Drawn passes; `FLEET_SIGN_PASSES` asks for another number.
    static var passes: Int {
        let environment = ProcessInfo.processInfo.environment
        if let asked = environment["FLEET_SIGN_PASSES"].flatMap(Int.init) { return asked }
        return environment["FLEET_LONG_TESTS"] == nil ? 6 : 1000
    }

    @Test(
        "S8 S6 Drawn passes with weights, heights, minimum speeds, stickers and roads beside: the limit at our road is adopted, nothing else"
    )
    func drawnPasses() throws {
        var settings = SignDetector.Settings()
        settings.profile = try #require(SignProfile(country: "DE"))
        var (right, wanted, wrong, frames) = (0, 0, [String](), 0)
        for seed in 1...UInt64(Self.passes) {
            let pass = SignPass(seed: seed)
            let detector = try SignDetector(reader: SignReader(), settings: settings)
            let result = try pass.adopted(by: detector, seed: seed)
            frames += result.frames
            if pass.wanted != nil { wanted += 1 }
            let limits = result.adopted.map(\.limit)
            if limits == [pass.wanted], pass.wanted != nil { right += 1 }
            for sign in result.adopted where sign.kind != .limit || sign.limit != pass.wanted {
                wrong.append(
                    "pass \(seed): \(sign.kind) \(sign.limit.map(String.init(describing:)) ?? "") at \(sign.box), wanted \(pass.wanted.map(String.init(describing:)) ?? "none")"
                )
            }
            if limits.isEmpty, let missed = pass.wanted {
                print("pass \(seed): missed \(missed) at \(pass.speedMps.rounded()) m/s")
            }
        }
        print(
            "\(Self.passes) passes, \(frames) frames at 10 fps: \(right) of \(wanted) limits adopted right, \(wrong.count) wrong adoptions"
        )
        #expect(wrong.isEmpty, "\(wrong)")
        #expect(Double(right) >= 0.98 * Double(wanted) - 0.5)
    }
}
