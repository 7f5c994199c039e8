import FleetModel
import FleetRuntime
import SQLite

/// Makes a map file from an OpenStreetMap file (PBF, XML or XML with gzip).
///
/// Reads the file twice, way after way, in bounded memory; see `road_map.h`. Runs on the calling thread, which it blocks.
public struct MapImport {
    /// What came of an import.
    public struct Summary: Sendable {
        /// Roads in the map file.
        public var ways = 0
        /// Roads without a usable line: their nodes are not in the file.
        public var withoutShape = 0
        /// Roads for which a limit is known in at least one direction at any time.
        public var withLimit = 0
        /// Roads about whose limit the tags say something that leaves it unknown, by the reason.
        public var notKnown: [String: Int] = [:]
    }

    /// How far it is.
    public struct Progress: Sendable {
        /// 1 while nodes are looked for, 2 while roads are written.
        public var pass: Int
        /// Share of the file that this pass has read, 0 to 1.
        public var share: Double
        /// Roads written.
        public var ways: Int
    }

    private let source: String
    private let destination: String

    /// Reads the OpenStreetMap file `source` into the map file `destination`, which is replaced when all is done.
    public init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }

    /// Does it. `importedAt` is noted in the file. `progress` is called now and then and may throw to end it all. Throws `UserError`.
    public func run(importedAt: Timestamp, progress: (Progress) throws -> Void) throws -> Summary {
        let reader = try RoadReader(path: source, scratchFolder: FilePath.folder(of: destination))
        while try reader.scan() { try progress(Progress(pass: 1, share: Self.share(reader), ways: 0)) }
        do {
            return try write(from: reader, importedAt: importedAt, progress)
        } catch let error as SQLiteError {
            throw UserError(.ioError, "\(destination): \(error.message)")
        }
    }

    private func write(from reader: RoadReader, importedAt: Timestamp, _ progress: (Progress) throws -> Void) throws -> Summary {
        let writer = try MapFileWriter(path: destination)
        var summary = Summary()
        while let (way, _) = try reader.next() {
            guard try writer.write(way) else {
                summary.withoutShape += 1
                continue
            }
            note(way, in: &summary)
            if writer.wayCount.isMultiple(of: 256) {
                try progress(Progress(pass: 2, share: Self.share(reader), ways: writer.wayCount))
            }
        }
        summary.ways = writer.wayCount
        try writer.finish(about: [
            "source": FilePath.name(of: source), "importedAt": importedAt.description,
            "attribution": MapFile.attribution,
        ])
        return summary
    }

    private func note(_ way: TaggedWay, in summary: inout Summary) {
        let limits = RoadLimits(tags: way.tags)
        guard limits.isStated else { return }
        let both = [limits.applied(.forward, at: nil), limits.applied(.backward, at: nil)]
        if both.contains(where: { if case .unknown = $0.limit { false } else { true } }) {
            summary.withLimit += 1
        } else if case .unknown(let gap) = both[0].limit {
            summary.notKnown[gap.description, default: 0] += 1
        }
    }

    private static func share(_ reader: RoadReader) -> Double {
        reader.bytesTotal == 0 ? 0 : min(1, Double(reader.bytesRead) / Double(reader.bytesTotal))
    }
}
