import FleetModel
import FleetRuntime
import FleetStore

/// `fleet-cli vehicles`: who is there and what does not work.
enum VehiclesCommand {
    static let command = Command(
        "vehicles", "list vehicles: connection, speed, queue, what does not work",
        discussion: """
            STATE is online, stale (connected, but three heartbeats are missing) or offline. MISSING counts holes in the vehicle's event
            numbers that nothing explains, DROPPED the events that the vehicle itself gave up. --json writes one object a line.
            """,
        options: [.flag("--json", "write JSON Lines")] + ViewOptions.specs + SourceOptions.specs
    ) { arguments in
        let list = try await SourceOptions.source(arguments).vehicles()
        if arguments.has("--json") { return list.vehicles.forEach(JSONLines.write) }
        guard !list.vehicles.isEmpty else { return StandardStreams.printError("no vehicle has been heard of yet") }
        StandardStreams.print(lines(list, ViewOptions(arguments)).joined(separator: "\n"))
    }

    static func lines(_ list: VehicleList, _ view: ViewOptions) -> [String] {
        // Ages are told by the server's clock, which judged the presence too.
        let time = TimeText(isUTC: view.time.isUTC, now: list.at)
        let rows = list.vehicles.map { cells($0, time, view.speed) }
        let table = TextTable(
            columns: [
                .init(title: "VEHICLE", isName: true), .init(title: "STATE"), .init(title: "SEEN", isNumber: true),
                .init(title: "SPEED", isNumber: true, dropRank: 1), .init(title: "LIMIT", isNumber: true, dropRank: 2),
                .init(title: "POSITION", dropRank: 3), .init(title: "QUEUE", isNumber: true, dropRank: 5),
                .init(title: "CAMERA", isNumber: true, dropRank: 4), .init(title: "MISSING", isNumber: true, dropRank: 6),
                .init(title: "DROPPED", isNumber: true, dropRank: 7), .init(title: "PROBLEMS", isElastic: true),
            ],
            rows: rows, terminal: view.terminal)
        return [table.header] + rows.map(table.line)
    }

    private static func cells(_ vehicle: VehicleView, _ time: TimeText, _ speed: SpeedText) -> [TextTable.Cell] {
        let beat = vehicle.heartbeat
        let missing = vehicle.missing.reduce(0.0) { $0 + max(0, Double($1.toSeq) - Double($1.fromSeq) + 1) }
        let problems = beat?.degraded.map(\.code.rawValue).joined(separator: ", ") ?? ""
        return [
            .init(vehicle.fleet + "/" + vehicle.vehicle), state(vehicle), .init(time.ago(vehicle.lastSeenAt)),
            .init(beat?.speedMps.map(speed.text) ?? "-"), .init(beat?.limit.map(\.description) ?? "-"),
            .init(beat?.position.map { NumberText.decimal($0.lat, 5) + ", " + NumberText.decimal($0.lon, 5) } ?? "-"),
            .init(beat.map { queue($0.queue) } ?? "-"), .init(beat?.camera.map { NumberText.decimal($0.fps, 0) + " fps" } ?? "-"),
            .init(missing == 0 ? "-" : NumberText.decimal(missing, 0), missing == 0 ? .plain : .alarm),
            .init(vehicle.droppedByVehicle == 0 ? "-" : String(vehicle.droppedByVehicle), .notice),
            .init(problems.isEmpty ? "-" : problems, problems.isEmpty ? .plain : .notice),
        ]
    }

    private static func state(_ vehicle: VehicleView) -> TextTable.Cell {
        switch vehicle.presence {
        case .online: .init("online", .good)
        case .stale: .init("stale", .notice)
        case .offline: .init(vehicle.status?.reason.map { "offline (\($0.rawValue))" } ?? "offline", .alarm)
        }
    }

    private static func queue(_ queue: Heartbeat.Queue) -> String {
        queue.alerts == 0 ? "-" : "\(queue.alerts), \(NumberText.bytes(queue.bytes))"
    }
}
