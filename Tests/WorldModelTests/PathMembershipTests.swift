import FleetModel
import Testing

@testable import WorldModel

@Suite struct PathMembershipTests {
    /// The answers to a pattern of frames at 20 Hz: `#` inside, `.` outside.
    private func answers(_ pattern: String) -> String {
        var path = PathMembership()
        return String(
            pattern.enumerated().map { i, c in
                path.count(isInside: c == "#", atS: Double(i) / 20)
                return path.isMember ? "#" : "."
            })
    }

    @Test(
        "C2 What flickers about the corridor's edge is not in it; what is in it is soon, and leaves soon",
        arguments: [
            ("##########", "....######"), (".#.#.#.#.#.#", "............"), ("######....", "....####.."),
            ("######.##.###", "....#########"),
        ])
    func overTime(pattern: String, expected: String) { #expect(answers(pattern) == expected) }

    @Test("C8 One sight after a gap makes nobody a member: it says nothing about the time before")
    func gap() {
        var path = PathMembership()
        path.count(isInside: false, atS: 0)
        path.count(isInside: true, atS: 0.6)
        #expect(!path.isMember)
        path.count(isInside: true, atS: 0.7)
        #expect(path.isMember)
    }

    /// A car whose middle is 1.8 m beside the path at first and moves across by 0.8 m/s, measured to 0.9 m/s, for a second at 20 Hz.
    @Test("C2 Who seems to move out is passed, who seems to move in is only believed when it is sure", arguments: [0.8, -0.8])
    func direction(speedMps: Double) {
        var path = PathMembership()
        for i in 0..<20 {
            let lateral = EgoPath.Lateral(
                offsetM: 1.8 + speedMps * Double(i) / 20, widthM: 1.8, speedMps: speedMps, speedSdMps: 0.9, aimM: 0.1,
                offsetSdM: 0.33)
            path.observe(lateral, isVehicle: true, ttcS: 2, atS: Double(i) / 20)
        }
        #expect(path.isMember == (speedMps < 0))
    }

    /// A parked car in a bend to the right of 145 m radius, driven at 11 m/s: 3 m beside the path, 28 m ahead.
    @Test("C7 Without a speed the road tells when a place in a bend is reached, so a parked car there is beside the path")
    func bendWithoutSpeed() throws {
        let (f, z, radius, v) = (1108.0, 28.0, 145.0, 11.0)
        let (w, h) = (1.8 * f / z, 1.5 * f / z)
        let x = 640 + f * (3 / z + z / (2 * radius))
        let frame = FrameSize(width: 1280, height: 720)
        var tracker = Tracker(frame: frame)
        let box = Box(x: x - w / 2, y: 360 + 1.4 * f / z - h, width: w, height: h)
        for i in 0..<4 { tracker.update([Detection(roadUser: .car, score: 0.9, box: box)], atS: Double(i) / 10) }
        let track = try #require(tracker.confirmed.first)
        var path = EgoPath(
            aheadX: 640, aimSdPx: 5, motion: EgoMotion(shiftXPxPerS: -f * v / radius, shiftYPxPerS: 0), speedMps: nil,
            horizonY: 360, roadExpansionPerPx: v / (f * 1.4), focalLengthPx: f, frame: frame)
        #expect(abs(path.lateral(of: track, distanceM: nil).offsetM - 3) < 0.3)
        // Where nothing tells it, the place beside the path is known badly, and that is said.
        path.roadExpansionPerPx = nil
        #expect(path.lateral(of: track, distanceM: nil).offsetSdM > 2)
    }
}
