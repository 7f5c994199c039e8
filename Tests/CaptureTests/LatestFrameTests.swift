import FleetRuntime
import FleetTestSupport
import Foundation
import Imaging
import Synchronization
import Testing

@testable import Capture

private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    func raise() { value.store(true, ordering: .releasing) }
    var isRaised: Bool { value.load(ordering: .acquiring) }
}

private final class Counter: Sendable {
    private let value: Atomic<Int>
    init(_ start: Int) { value = Atomic(start) }
    func decrement() -> Int { value.subtract(1, ordering: .acquiringAndReleasing).newValue }
}

private final class Seen: Sendable {
    private let indices = Mutex(Set<Int>())
    var count: Int { indices.withLock { $0.count } }
    func insert(_ index: Int) -> Bool { indices.withLock { $0.insert(index).inserted } }
}

struct LatestFrameTests {
    private static func index(_ frame: consuming CapturedFrame?) -> Int? {
        switch frame {
        case .some(let frame): frame.index
        case .none: nil
        }
    }

    private func frame(_ index: Int) throws -> CapturedFrame {
        try CapturedFrame(frame: blackFrame(width: 2, height: 2), index: index, timeS: Double(index))
    }

    @Test("The newest frame wins and what it replaces is counted")
    func newestWins() throws {
        let mailbox = LatestFrame()
        for i in 0..<5 { mailbox.put(try frame(i)) }
        let taken = Self.index(mailbox.take(timeoutS: 0))
        #expect(taken == 4)
        let none = Self.index(mailbox.take(timeoutS: 0))
        #expect(none == nil)
        #expect(mailbox.droppedCount == 4)
        #expect(mailbox.deliveredCount == 5)
    }

    @Test("Taking waits no longer than asked")
    func timeout() {
        let start = MonotonicTime.now()
        let none = Self.index(LatestFrame().take(timeoutS: 0.05))
        #expect(none == nil)
        let waited = MonotonicTime.now() - start
        #expect(waited >= 0.049 && waited < 5)
    }

    @Test("Closing wakes who waits, keeps the last frame and refuses further ones")
    func closing() async throws {
        let mailbox = LatestFrame()
        let woke = Flag()
        Thread.detachNewThread {
            _ = mailbox.take(timeoutS: 30)
            woke.raise()
        }
        mailbox.close()
        #expect(await eventually { woke.isRaised })
        mailbox.put(try frame(1))
        let none = Self.index(mailbox.take(timeoutS: 0))
        #expect(none == nil)
        #expect(mailbox.isClosed)
    }

    @Test("With several threads putting and one taking no frame is lost unseen and none comes twice")
    func threads() async throws {
        let mailbox = LatestFrame()
        let seen = Seen()
        let takerIsDone = Flag()
        let writersLeft = Counter(3)
        Thread.detachNewThread {
            while !mailbox.isClosed || mailbox.deliveredCount > mailbox.droppedCount + seen.count {
                if let frame = mailbox.take(timeoutS: 0.2) {
                    let isNew = seen.insert(frame.index)
                    if !isNew { Issue.record("frame \(frame.index) came twice") }
                }
            }
            takerIsDone.raise()
        }
        for writer in 0..<3 {
            Thread.detachNewThread {
                for i in 0..<500 {
                    guard let picture = Frame(width: 2, height: 2) else { continue }
                    mailbox.put(CapturedFrame(frame: picture, index: writer * 1000 + i, timeS: 0))
                }
                if writersLeft.decrement() == 0 { mailbox.close() }
            }
        }
        #expect(await eventually(timeout: 30) { takerIsDone.isRaised })
        #expect(mailbox.deliveredCount == 1500)
        #expect(seen.count + mailbox.droppedCount == 1500)
    }
}
