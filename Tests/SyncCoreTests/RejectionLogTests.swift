import Testing

@testable import SyncCore

@Suite("The log of what goes into quarantine")
struct RejectionLogTests {
    @Test("the first is told at once with its topic, then a line a minute says how many there were")
    func once() {
        let log = RejectionLog()
        let first = log.note(1, topic: "fleet/a/vehicle/b/alert", reason: "schema is missing", atS: 5)
        #expect(first == "1 message is put into quarantine, the latest of fleet/a/vehicle/b/alert: schema is missing")
        for second in 6..<65 { #expect(log.note(10, topic: "t", reason: "r", atS: Double(second)) == nil) }
        #expect(log.note(1, topic: "t", reason: "r", atS: 65) == "591 messages are put into quarantine, the latest of t: r")
        #expect(log.note(1, topic: "t", reason: "r", atS: 66) == nil)
    }
}
