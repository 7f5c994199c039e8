import CRoadMap
import FleetRuntime

/// The roads of an OpenStreetMap file, way after way (C++ libosmium behind a C ABI). One thread at a time; the calls block.
final class RoadReader {
    private let path: String
    private let scratchFolder: String
    private let handle: OpaquePointer

    /// Opens `path`; scratch files lie in `scratchFolder`. Throws `UserError`.
    init(path: String, scratchFolder: String) throws {
        self.path = path
        self.scratchFolder = scratchFolder
        var opened: OpaquePointer?
        var problem = road_map_error()
        let status = road_map_reader_open(
            path, scratchFolder, Self.list(RoadClass.allCases.map(\.tag)), Self.list(TaggedWay.keys), &opened, &problem)
        guard status == ROAD_MAP_OK, let opened else { throw Self.error(status, problem, path, scratchFolder) }
        handle = opened
    }

    deinit { road_map_reader_close(handle) }

    /// Bytes of the file that have been read in this pass.
    var bytesRead: UInt64 { road_map_reader_bytes_read(handle) }
    /// Bytes of the file.
    var bytesTotal: UInt64 { road_map_reader_bytes_total(handle) }

    /// Scans the next piece of the file in the first pass; false when all is scanned.
    func scan() throws -> Bool {
        var problem = road_map_error()
        let status = road_map_reader_scan(handle, &problem)
        if status == ROAD_MAP_OK { return true }
        if status == ROAD_MAP_END { return false }
        throw Self.error(status, problem, path, scratchFolder)
    }

    /// The next road, with the number of its nodes that the file lacks; nil after the last.
    func next() throws -> (way: TaggedWay, missingNodes: Int)? {
        var problem = road_map_error()
        var raw = road_map_way()
        let status = road_map_reader_next(handle, &raw, &problem)
        if status == ROAD_MAP_END { return nil }
        guard status == ROAD_MAP_OK else { throw Self.error(status, problem, path, scratchFolder) }
        let positions = UnsafeBufferPointer(start: raw.positions, count: raw.position_count * 2)
        var shape: [MapPoint] = []
        shape.reserveCapacity(raw.position_count)
        for i in 0..<raw.position_count {
            let point = MapPoint(x: positions[2 * i], y: positions[2 * i + 1])
            if point != shape.last { shape.append(point) }
        }
        return (TaggedWay(id: raw.id, tags: Self.tags(raw), shape: shape), Int(raw.missing_nodes))
    }

    private static func tags(_ raw: road_map_way) -> [String: String] {
        let texts = UnsafeBufferPointer(start: raw.tags, count: raw.tag_bytes)
            .split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self) }
        var tags: [String: String] = [:]
        for i in stride(from: 0, to: texts.count - 1, by: 2) { tags[texts[i]] = texts[i + 1] }
        return tags
    }

    private static func error(_ status: road_map_status, _ problem: road_map_error, _ path: String, _ scratch: String) -> UserError
    {
        let text = withUnsafeBytes(of: problem.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return switch status {
        case ROAD_MAP_UNREADABLE: UserError(.badData, "\(path): not a readable OpenStreetMap file (\(text))")
        case ROAD_MAP_NO_SPACE: UserError(.ioError, "\(scratch): scratch files cannot be written (\(text))")
        default: UserError(.ioError, "\(path): \(text)")
        }
    }

    /// Texts each with a zero byte; the one that Swift adds ends the list.
    private static func list(_ texts: [String]) -> String { texts.map { $0 + "\0" }.joined() }
}
