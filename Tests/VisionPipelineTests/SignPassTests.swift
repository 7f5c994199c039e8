import FleetModel
import Foundation
import Perception
import Testing

@testable import VisionPipeline

@Suite struct SignPassTests {
    /// Drawn passes; `FLEET_SIGN_PASSES` asks for another number, `FLEET_SIGN_FIRST` for another first one.
    static var passes: Int {
        let environment = ProcessInfo.processInfo.environment
        if let asked = environment["FLEET_SIGN_PASSES"].flatMap(Int.init) { return asked }
        return environment["FLEET_LONG_TESTS"] == nil ? 6 : 1000
    }

    @Test(
        "S4 S6 S8 S12 Drawn passes with weights, heights, minimum speeds, road numbers, stickers, roads beside, end signs and limits under a condition: the limit at our road is adopted, nothing else"
    )
    func europeanPasses() throws {
        let count = try drive(Self.passes, in: .germany)
        #expect(count.wrong.isEmpty, "\(count.wrong)")
        #expect(Double(count.right) >= 0.98 * Double(count.wanted) - 0.5)
    }

    @Test(
        "S10 S12 Drawn passes in the United States with ramp and advisory speeds, minimum speeds, interstate shields, TRUCKS, SCHOOL and WHEN FLASHING"
    )
    func americanPasses() throws {
        let passes = max(2, Self.passes / 4)
        let count = try drive(passes, in: .unitedStates)
        #expect(count.wrong.isEmpty, "\(count.wrong)")
        #expect(Double(count.right) >= 0.98 * Double(count.wanted) - 0.5)
    }

    private func drive(_ passes: Int, in country: SignPass.Country) throws -> Counts {
        var count = Counts()
        let first = UInt64(ProcessInfo.processInfo.environment["FLEET_SIGN_FIRST"] ?? "1") ?? 1
        for seed in first..<first + UInt64(passes) { try drive(SignPass(seed: seed, in: country), seed: seed, &count) }
        print(
            "\(country.rawValue): \(passes) passes, \(count.frames) frames at 10 fps: \(count.right) of \(count.wanted) limits adopted right, \(count.wrong.count) wrong adoptions; \(count.restrictedSeen) of \(count.restricted) restricted ones told as such, \(count.ends) of \(count.endsPassed) ends"
        )
        return count
    }

    /// What the passes gave.
    struct Counts {
        var (right, wanted, restricted, restrictedSeen, ends, endsPassed, frames) = (0, 0, 0, 0, 0, 0, 0)
        var wrong: [String] = []
    }

    private func drive(_ pass: SignPass, seed: UInt64, _ count: inout Counts) throws {
        var settings = SignDetector.Settings()
        settings.profile = try #require(SignProfile(country: pass.country.rawValue))
        let result = try pass.adopted(by: SignDetector(reader: SignReader(), settings: settings), seed: seed)
        count.frames += result.frames
        count.wanted += pass.wanted == nil ? 0 : 1
        count.restricted += pass.restricted == nil ? 0 : 1
        count.endsPassed += pass.hasEnd ? 1 : 0
        for sign in result.adopted {
            switch sign.kind {
            case .limit where sign.limit == pass.wanted && pass.wanted != nil: count.right += 1
            case .restricted where sign.limit == pass.restricted && pass.restricted != nil: count.restrictedSeen += 1
            // The plate was seen where there is none: the limit is lost, not wrong.
            case .restricted where sign.limit == pass.wanted: break
            case .endOfLimit where pass.hasEnd, .endOfAll where pass.hasEnd: count.ends += 1
            default:
                print("pass \(seed) (\(pass.country.rawValue)): \(sign)")
                count.wrong.append(
                    "pass \(seed): \(sign.kind) \(sign.limit.map(String.init(describing:)) ?? "") at \(sign.box), wanted \(pass.wanted.map(String.init(describing:)) ?? "none"), restricted \(pass.restricted.map(String.init(describing:)) ?? "none")"
                )
            }
        }
        if let missed = pass.wanted, !result.adopted.contains(where: { $0.kind == .limit && $0.limit == missed }) {
            print(
                "pass \(seed) (\(pass.country.rawValue)): missed \(missed) at \(pass.speedMps.rounded()) m/s, adopted \(result.adopted.map { "\($0.kind)" })"
            )
        }
    }
}
