import FleetModel
import FleetTestSupport
import Foundation
import Testing

@testable import SyncCore

@Suite("Pictures beside the alerts")
struct PictureQueueTests {
    private func picture(_ number: Int, bytes: Int = 10) -> InboundMessage {
        InboundMessage(topic: "\(number)", payload: Data(count: bytes), properties: [:], receivedAt: .epoch)
    }

    @Test("pictures come out in their order, a few at once")
    func order() async {
        let queue = PictureQueue(capacityBytes: 10_000)
        for number in 1...5 { #expect(queue.offer(picture(number))) }
        #expect(await queue.take(atMost: 2)?.map(\.topic) == ["1", "2"])
        #expect(await queue.take(atMost: 9)?.map(\.topic) == ["3", "4", "5"])
    }

    @Test("what has no room is left, until there is room again")
    func bound() async {
        let queue = PictureQueue(capacityBytes: 10_000)
        #expect(queue.offer(picture(1, bytes: 6000)))
        #expect(!queue.offer(picture(2, bytes: 6000)))
        #expect(queue.offer(picture(3, bytes: 3000)))
        #expect(await queue.take(atMost: 1)?.map(\.topic) == ["1"])
        #expect(queue.offer(picture(2, bytes: 6000)))
    }

    @Test("empty pictures count, and what comes with a picture does")
    func emptyPictures() {
        let queue = PictureQueue(capacityBytes: 10_000)
        var taken = 0
        while queue.offer(picture(taken, bytes: 0)), taken < 1000 { taken += 1 }
        #expect((10...100).contains(taken))
        let laden = InboundMessage(
            topic: "laden", payload: Data(), properties: ["x": String(repeating: "y", count: 20_000)], receivedAt: .epoch)
        #expect(!PictureQueue(capacityBytes: 10_000).offer(laden))
    }

    @Test("whoever waits hears of the next picture, and of the end")
    func waiting() async {
        let queue = PictureQueue(capacityBytes: 10_000)
        let reader = Task { await [queue.take(atMost: 1)?.count, queue.take(atMost: 1)?.count] }
        #expect(queue.offer(picture(1)))
        queue.close()
        // Closed before or after the picture was taken.
        #expect([[1, nil], [nil, nil]].contains(await reader.value))
        #expect(!queue.offer(picture(2)))
    }
}
