import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Testing

@testable import FleetLoad

@Suite struct FleetTrafficTests {
    static let wall = Timestamp(secondsSinceEpoch: 1_772_352_000)

    /// Everything that a fleet says within `seconds`.
    func traffic(seconds: Double, _ change: (inout FleetSettings) throws -> Void = { _ in }) throws -> [FleetTraffic.Sending] {
        var settings = FleetSettings()
        settings.vehicles = 20
        settings.rate = 50
        try change(&settings)
        var traffic = FleetTraffic(settings, nowS: 1000, wall: Self.wall)
        var all: [FleetTraffic.Sending] = []
        while let next = traffic.next(dueBy: 1000 + seconds, wall: Self.wall) { all.append(next) }
        return all
    }

    @Test func `the same seed says the same, byte for byte, another seed something else`() throws {
        func bytes(_ seed: UInt64) throws -> [Data] {
            try traffic(seconds: 20) {
                $0.seed = seed
                $0.snapshots = 0.3
                $0.faults = try FaultMix("duplicate=0.1,reorder=0.2,malformed=0.5")
            }.map(\.message.payload)
        }
        #expect(try bytes(3) == bytes(3))
        #expect(try bytes(3) != bytes(4))
    }

    @Test func `every vehicle sends a heartbeat each interval, and alerts come at the rate asked for`() throws {
        let all = try traffic(seconds: 100)
        let heartbeats = all.filter { $0.content == .heartbeats }
        // The one that is due at the very end may be in or out.
        #expect((200...201).contains(heartbeats.count))
        #expect(Set(heartbeats.map(\.vehicle)).count == 20)
        // 5,000 expected; what has begun within the last seconds is not complete.
        #expect((4300...5200).contains(all.count { $0.content == .alerts }))
    }

    @Test func `every alert is readable, and episodes run from their start through their updates to their end`() throws {
        let alerts = try traffic(seconds: 60) {
            $0.heartbeatS = 0
            $0.snapshots = 0
        }.map { try WireCodec.decodeAlert(from: $0.message.payload) }
        let finished = Dictionary(grouping: alerts, by: \.id).values.filter { $0.last?.phase == .end }
        #expect(finished.count > 300)
        for episode in finished {
            #expect(episode.map(\.revision) == Array(1...episode.count))
            #expect(episode.first?.phase == .start)
            #expect(episode.dropFirst().dropLast().allSatisfy { $0.phase == .update })
        }
        for (_, own) in Dictionary(grouping: alerts, by: \.identity) {
            let numbers = own.map(\.seq)
            #expect(numbers == Array(numbers[0]..<numbers[0] + Int64(numbers.count)))
        }
    }

    @Test func `heartbeats and statuses are readable`() throws {
        for sending in try traffic(seconds: 15) where sending.content == .heartbeats {
            _ = try WireCodec.decode(Heartbeat.self, from: sending.message.payload)
        }
        let traffic = FleetTraffic(FleetSettings(), nowS: 0, wall: Self.wall)
        for (sending, state) in zip(traffic.greetings() + traffic.goodbyes(), [VehicleStatus.State.online]) {
            #expect(try WireCodec.decode(VehicleStatus.self, from: sending.message.payload).state == state)
        }
        #expect(traffic.goodbyes().count == 100)
    }

    @Test func `a snapshot is a JPEG of the stated size whose digest its alert names`() throws {
        let all = try traffic(seconds: 20) { $0.snapshots = 1 }
        let picture = try #require(all.first { $0.content == .snapshots })
        let alert = try #require(
            all.first { $0.content == .alerts && $0.key?.id == picture.key?.id }.map {
                try WireCodec.decodeAlert(from: $0.message.payload)
            })
        #expect(alert.snapshot?.sha256 == SHA256.hexadecimal(SHA256.digest(of: picture.message.payload)))
        #expect((10_000...131_072).contains(picture.message.payload.count))
        let frame = try Frame.decode(picture.message.payload)
        #expect(frame.width == alert.snapshot?.width && frame.height == alert.snapshot?.height)
    }

    @Test func `faults happen in the share asked for`() throws {
        let all = try traffic(seconds: 200) { $0.faults = try FaultMix("duplicate=0.1,drop=0.05,reorder=0.2,malformed=2") }
        let alerts = all.filter { $0.content == .alerts }
        let count = Double(alerts.count)
        #expect(abs(Double(alerts.count { $0.copies == 2 }) / count - 0.095) < 0.02)
        #expect(abs(Double(alerts.count { $0.copies == 0 }) / count - 0.05) < 0.015)
        #expect(abs(Double(alerts.count(where: \.isDelayed)) / count - 0.2) < 0.03)
        #expect(abs(Double(all.count { $0.content == .malformed }) / count - 2) < 0.05)
    }
}
