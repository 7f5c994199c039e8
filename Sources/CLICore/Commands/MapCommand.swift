import FleetModel
import FleetRuntime
import Glibc
import RoadMap
import WorldModel

/// `fleet-cli map`: makes the file of roads and limits that an agent uses, and looks into it.
enum MapCommand {
    static let importing = Command(
        "map import", "make a file of roads and speed limits from an OpenStreetMap extract",
        discussion: """
            REGION is OpenStreetMap data as .osm.pbf, .osm or .osm.gz. The file is read twice, in bounded memory; the room for scratch files beside
            FILE is about a tenth of a PBF file's size. An agent uses FILE as `overspeed.map`. The data are © OpenStreetMap
            contributors under the Open Database License; say so where you show them.
            """,
        arguments: [ArgumentSpec("REGION", "OpenStreetMap file")],
        options: [.value("--out", "FILE", "the map file to write (replaced when all is done)")], run: runImport)

    static let lookup = Command(
        "map lookup", "say which roads and limits a map file has at a place",
        discussion:
            "The road that fits best comes first. Limits that depend on the time or on anything else that is not known here are told as such.",
        arguments: [
            ArgumentSpec("LAT", "degrees north"), ArgumentSpec("LON", "degrees east"),
            ArgumentSpec("HEADING_DEG", "direction of travel, clockwise from north", optional: true),
        ],
        options: [
            .value("--db", "FILE", "the map file"), .value("--radius", "M", "how far to look, in metres (default 30)"),
            .flag("--json", "write JSON Lines"),
        ], run: runLookup)

    private static func runImport(_ arguments: ParsedArguments) async throws {
        guard let out = arguments.value("--out") else { throw UserError(.usage, "--out is missing (the map file to write)") }
        let source = try arguments.requiredArgument(0)
        guard access(source, R_OK) == 0 else {
            throw UserError(errno == ENOENT ? .noInput : .ioError, "\(source): \(String(cString: strerror(errno)))")
        }
        guard let target = FileIdentity(out) else {
            throw UserError(.ioError, "--out \(out): the folder \(FilePath.folder(of: out)) is not there")
        }
        guard FileIdentity(source) != target else {
            throw UserError(.usage, "--out \(out): is the OpenStreetMap file itself")
        }
        let signals = StopSignals()
        let line = ProgressLine(total: 200, unit: "% (two passes)")
        let begun = MonotonicTime.now()
        let summary = try MapImport(source: source, destination: out).run(importedAt: WallClock.now()) { progress in
            if let signal = signals.raised { throw Interruption(signal: signal, "stopped; \(out) is not written") }
            line.show(Int(100 * (Double(progress.pass - 1) + progress.share)))
        }
        line.clear()
        let seconds = MonotonicTime.now() - begun
        var status = stat()
        let size = stat(out, &status) == 0 ? ", " + NumberText.bytes(Int64(status.st_size)) : ""
        StandardStreams.print(
            "\(summary.ways) roads in \(NumberText.decimal(seconds, 1)) s, \(summary.withLimit) with a limit\(size): \(out)")
        for (reason, count) in summary.notKnown.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(20) {
            StandardStreams.print("  limit unknown, \(reason): \(count)")
        }
        if summary.withoutShape > 0 {
            StandardStreams.print("  left out, nodes not in the extract: \(summary.withoutShape)")
        }
        StandardStreams.print(MapFile.attribution)
    }

    private static func runLookup(_ arguments: ParsedArguments) async throws {
        guard let path = arguments.value("--db") else { throw UserError(.usage, "--db is missing (a map file)") }
        func number(_ index: Int, _ name: String, _ range: ClosedRange<Double>) throws -> Double? {
            guard let text = arguments.argument(index) else { return nil }
            guard let value = Double(text), range.contains(value) else {
                throw UserError(.usage, "\(name) \(text): must be a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
        guard let latitude = try number(0, "LAT", -90...90), let longitude = try number(1, "LON", -180...180),
            let place = GeoPoint(latitude: latitude, longitude: longitude)
        else { throw UserError(.usage, "LAT and LON are missing") }
        let heading = try number(2, "HEADING_DEG", -360...360)
        let radius = try arguments.number("--radius", in: 1...500) ?? 30
        let roads = try NearbyRoad.roads(in: MapFile(path: path), at: place, headingDeg: heading, radiusM: radius)
        let lines = roads.map(RoadLine.init)
        if arguments.has("--json") { return lines.forEach(JSONLines.write) }
        guard !lines.isEmpty else {
            return StandardStreams.printError("no road within \(NumberText.decimal(radius, 0)) m in this map")
        }
        for line in lines { StandardStreams.print(line.text) }
    }
}
