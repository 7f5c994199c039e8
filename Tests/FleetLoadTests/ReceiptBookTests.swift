import FleetModel
import FleetTestSupport
import Foundation
import MQTTClient
import Testing

@testable import FleetLoad

@Suite struct ReceiptBookTests {
    let alert = SampleAlerts.alert(1)
    var key: ReceiptBook.Key { ReceiptBook.Key(id: alert.id, revision: 1) }

    func book(_ expectation: ReceiptBook.Expectation = .stored, isTimed: Bool = true) -> ReceiptBook {
        var book = ReceiptBook(resendS: 30)
        book.expect(key, expectation, MQTTMessage(topic: "t", payload: Data()), connection: 2, nowS: 100, isTimed: isTimed)
        return book
    }

    @Test func `a receipt settles its message and tells how long it took`() {
        var book = book()
        book.settle(SampleAlerts.receipt(alert), nowS: 100.25)
        #expect(book.left == 0)
        #expect(book.counts.stored == 1)
        #expect(abs((book.latency.percentile(0.5) ?? 0) - 0.25) < 0.01)
        book.settle(SampleAlerts.receipt(alert), nowS: 101)
        #expect(book.counts.unexpected == 1)
    }

    @Test func `without a receipt a message is sent again after 30 s, then after 60, then 120, up to 10 min`() {
        var book = book()
        var sentAtS: [Int] = []
        for second in 100...4000 where book.overdue(nowS: Double(second)) != nil { sentAtS.append(second - 100) }
        #expect(sentAtS.prefix(6) == [30, 90, 210, 450, 930, 1530])
        #expect(book.left == 1)
    }

    @Test func `nothing is sent again after its receipt, and a message with a fault in its way has no time`() {
        var book = book(isTimed: false)
        book.settle(SampleAlerts.receipt(alert, .duplicate), nowS: 101)
        #expect(book.overdue(nowS: 200) == nil)
        #expect(book.counts.duplicate == 1)
        #expect(book.latency.count == 0)
    }

    @Test func `a malformed message that is taken for good is told apart from one that is rejected`() {
        var bad = book(.rejected)
        bad.settle(SampleAlerts.receipt(alert), nowS: 101)
        #expect(bad.counts.malformedAccepted == 1)
        var good = book(.rejected)
        good.settle(SampleAlerts.receipt(alert, .rejected, reason: "no"), nowS: 101)
        #expect(good.counts.malformedRejected == 1)
    }
}
