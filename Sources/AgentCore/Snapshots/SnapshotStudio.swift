import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception
import VisionPipeline
import WorldModel

/// Makes the pictures of alerts on a thread of its own, so that neither the next frame nor the alert itself waits for one.
actor SnapshotStudio {
    /// Frames that may wait: a second alert in the same moment is rare, a fifth has a picture like the first.
    private static let mostWaiting = 4

    /// A frame and what it is for.
    struct Order: Sendable {
        let alert: AlertID
        let isFirst: Bool
        let takenAt: Timestamp?
        let box: Box?
        let known: [Detection]
        let frame: SharedFrame
    }

    private let executor = BlockingExecutor(label: "snapshots")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let orders: AsyncStream<Order>
    private let feed: AsyncStream<Order>.Continuation
    private var maker: SnapshotMaker
    private let log = Log("snapshot")

    init(maker: sending SnapshotMaker) {
        self.maker = maker
        (orders, feed) = AsyncStream.makeStream(of: Order.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
    }

    /// The studio that the configuration asks for; nil when no pictures are to be taken. Throws when the filter's model does not load.
    init?(_ configuration: AgentConfiguration) throws {
        guard configuration.takesSnapshots else { return nil }
        self.init(maker: try SnapshotMaker(configuration))
    }

    /// Orders the picture of `alert` from `frame`. Called on the pipeline's thread; returns at once.
    nonisolated func order(_ alert: Alert, of frame: SharedFrame, known: [Detection]) {
        let order = Order(
            alert: alert.id, isFirst: alert.phase == .start, takenAt: alert.clock == .unsynchronised ? nil : alert.at,
            box: alert.subjectBox, known: known, frame: frame)
        if case .dropped = feed.yield(order) { log.warning("alert \(alert.id) gets no picture: \(Self.mostWaiting) wait already") }
    }

    /// No more orders come; `run` ends after those that wait.
    nonisolated func close() { feed.finish() }

    /// Makes what is ordered and hands it to `deliver`, one after another, until `close`.
    func run(_ deliver: @Sendable (Snapshot, Order) async -> Void) async {
        for await order in orders {
            do {
                await deliver(try maker.make(from: order.frame.frame.copied(), known: order.known, box: order.box), order)
            } catch {
                log.error("alert \(order.alert) gets no picture: \(error)")
            }
        }
    }
}

extension AgentConfiguration {
    /// Whether alerts get pictures.
    var takesSnapshots: Bool { snapshots.isEnabled && !hasPrivacy }
}

extension SnapshotMaker {
    /// The maker that the configuration asks for. Throws when the filter's model does not load.
    init(_ configuration: AgentConfiguration) throws {
        guard configuration.snapshots.blurs else {
            self.init(filter: nil)
            return
        }
        // A detector of its own, because it works beside the pipeline's, and on one thread, because nobody waits for it.
        var settings = configuration.detector
        settings.threads = 1
        var detector = try RoadUserDetector(settings)
        detector.scoreThreshold = PrivacyFilter.leastScore
        self.init(filter: PrivacyFilter(detector: detector))
    }
}

extension Alert {
    /// Where in the frame what it is about is, relative to the frame; nil when it is about the vehicle itself.
    var subjectBox: Box? { collision?.box ?? landmark?.box }
}
