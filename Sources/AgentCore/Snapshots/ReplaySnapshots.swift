import FleetModel
import FleetRuntime
import Foundation
import Imaging
import VisionPipeline
import WorldModel

/// The pictures of a replay's alerts: made while the replay waits, so that each alert names its own, and the same recording gives the same
/// pictures on the same machine.
final class ReplaySnapshots {
    /// Takes a picture over.
    typealias Delivery = (_ snapshot: Snapshot, _ alert: Alert) -> Void

    private var maker: SnapshotMaker
    private var trigger = SnapshotTrigger()
    private var references: [AlertID: SnapshotReference] = [:]
    private let folder: String?
    private let deliver: Delivery?
    private var last: (frame: SharedFrame, known: [Detection], timeS: Double)?

    /// Writes pictures into `folder` (made when it is missing) as `ALERT.jpg`, and hands them to `deliver`. Throws `UserError`.
    init(_ configuration: AgentConfiguration, folder: String?, deliver: Delivery?) throws {
        maker = try SnapshotMaker(configuration)
        self.folder = folder
        self.deliver = deliver
        guard let folder else { return }
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw UserError(.ioError, "\(folder): cannot be made")
        }
    }

    /// Takes note of the frame that the next alerts show.
    func see(_ frame: consuming Frame, known: [Detection], atS timeS: Double) { last = (SharedFrame(frame), known, timeS) }

    /// The alert with what is to be said of its picture, and the picture where this revision gets one.
    func complete(_ alert: Alert) throws -> (alert: Alert, picture: Snapshot?) {
        var complete = alert
        var picture: Snapshot?
        // A fix that comes more than a second after the last frame shows another place.
        if trigger.wants(alert), let last, alert.monotonicS - last.timeS <= 1 {
            let made = try maker.make(
                from: last.frame.frame.copied(), known: last.known, box: alert.subjectBox,
                sessionTimeS: last.timeS.rounded(toPlaces: 3))
            references[alert.id] = made.reference
            picture = made
            try write(made, of: alert)
        }
        complete.snapshot = references[alert.id]
        if alert.phase == .end { references[alert.id] = nil }
        return (complete, picture)
    }

    /// Hands a picture on, after its alert.
    func handOn(_ picture: Snapshot, of alert: Alert) { deliver?(picture, alert) }

    private func write(_ snapshot: Snapshot, of alert: Alert) throws {
        guard let folder else { return }
        let path = "\(folder)/\(alert.id).jpg"
        do { try snapshot.jpeg.write(to: URL(filePath: path), options: .atomic) } catch {
            throw UserError(.ioError, "\(path): cannot be written")
        }
    }
}
