import FleetModel
import FleetTestSupport
import Foundation
import Testing

@testable import FleetLoad

@Suite struct PayloadFuzzerTests {
    @Test func `no reader of the contract accepts one of 20,000 malformed messages, and they differ`() {
        var fuzzer = PayloadFuzzer(seed: 5)
        var kinds: Set<String> = []
        for number in 0..<20_000 {
            let message = fuzzer.malformed(from: SampleAlerts.alert(number), wall: Timestamp(secondsSinceEpoch: 1_772_352_000))
            switch Topic(name: message.topic) {
            case .alert(let who):
                let alert = try? WireCodec.decodeAlert(from: message.payload)
                #expect(alert == nil || alert?.identity != who)
                #expect((try? WireCodec.decode(GapEvent.self, from: message.payload)) == nil)
                kinds.insert("alert")
            case .heartbeat: #expect((try? WireCodec.decode(Heartbeat.self, from: message.payload)) == nil)
            case .status:
                #expect((try? WireCodec.decode(VehicleStatus.self, from: message.payload)) == nil)
                // An empty status is a decommissioning, not nonsense.
                #expect(!message.payload.isEmpty)
            case .snapshot(_, let id): #expect(AlertID(id) == nil)
            case .receipt: Issue.record("nobody reads receipts of a vehicle")
            case nil: kinds.insert("no topic")
            }
            kinds.insert(String(decoding: message.payload.prefix(6), as: UTF8.self))
        }
        #expect(kinds.count > 100)
    }
}
