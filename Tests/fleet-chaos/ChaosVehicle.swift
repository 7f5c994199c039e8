import DurableOutbox
import FleetModel
import FleetRuntime
import Foundation

/// A vehicle of the matrix: its process, its disk, its journal.
final class ChaosVehicle {
    /// How far it is, as it says itself.
    struct Progress {
        var confirmed = 0
        var waiting = 0
        var isDone = false
    }

    let identity: VehicleIdentity
    let part: ChaosPart
    /// Nil where its outbox lies on the usual disk.
    let disk: SmallDisk?
    private let outbox: String
    private let journal: String
    private let progressFile: String

    init(
        number: Int, folder: String, diskMiB: Int?, broker: String, alerts: Int, rate: Double, hurry: Double, logs: String
    ) throws {
        let name = "truck-\(number + 1)"
        guard let identity = VehicleIdentity(fleet: "chaos", vehicle: name) else { throw UserError(.software, "no name: \(name)") }
        self.identity = identity
        try FileManager.default.createDirectory(atPath: folder + "/disk", withIntermediateDirectories: true)
        disk = diskMiB.flatMap { SmallDisk.areAllowed ? SmallDisk(at: folder + "/disk", mebibytes: $0) : nil }
        outbox = folder + "/disk/outbox.db"
        journal = folder + "/journal"
        progressFile = folder + "/progress"
        let config = folder + "/agent.yaml"
        try """
        fleet: \(identity.fleet)
        vehicle: \(name)
        outbox:
          path: \(outbox)
        mqtt:
          url: \(broker)
        """.write(toFile: config, atomically: true, encoding: .utf8)
        part = ChaosPart(
            name: name, program: "fleet-chaos",
            arguments: [
                "vehicle", "--config", config, "--journal", journal, "--progress", progressFile, "--alerts", String(alerts),
                "--rate",
                String(rate), "--hurry", String(hurry),
            ], log: "\(logs)/\(name).log")
    }

    /// How far it is.
    var progress: Progress {
        let words = ((try? String(contentsOfFile: progressFile, encoding: .utf8)) ?? "").split(whereSeparator: \.isWhitespace)
            .compactMap { Int($0) }
        guard words.count == 3 else { return Progress() }
        return Progress(confirmed: words[0], waiting: words[1], isDone: words[2] == 1)
    }

    /// What its outbox has confirmed and refused.
    func written() -> Journal.Content { Journal.read(path: journal) }

    /// Rows that are still in its outbox, and those that were moved aside, once its process has ended.
    func left() async throws -> (waiting: Int, rejected: [RejectedRow]) {
        let outbox = try DurableOutbox(settings: OutboxSettings(path: outbox, identity: identity))
        return (await outbox.status().rows, await outbox.rejected())
    }
}
