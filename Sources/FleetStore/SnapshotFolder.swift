import FleetModel
import FleetRuntime
import Foundation

/// The alerts' pictures: files by their SHA-256, and for every alert a small file that names its picture.
///
///     files/9f/9f86d081...0a08.jpg       the picture
///     alerts/demo/truck-17/0197a3c2-...  the digest of that alert's picture
///     waiting/demo/truck-17/0197a3c2-... the same for an alert that has not arrived yet
///
/// Everything is on disk when a call returns. Several services may use one folder; on several machines it has to be a shared one.
public actor SnapshotFolder {
    private let executor = BlockingExecutor(label: "snapshots")
    /// Disk work runs on a thread of its own.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Seconds that a snapshot waits for its alert.
    public static let waitS = 86_400.0

    /// Share of the disk, and most of it in bytes, that pictures leave free: alerts need the room more.
    private static let leftFree = (share: 0.05, mostBytes: Int64(1) << 30)

    private let path: String
    private let space: @Sendable (String) -> FileSystemSpace?
    private enum Place: String { case alerts, waiting }

    /// The folder `path`; it is made with the first snapshot. `space` says how much room there is for a file.
    public init(path: String, space: @escaping @Sendable (String) -> FileSystemSpace? = FileSystemSpace.of) {
        self.path = path
        self.space = space
    }

    /// Keeps `jpeg` as the picture of the alert `id` of `vehicle`; a later one takes its place. `hasAlert` says whether that alert is in the
    /// store. Throws `UserError` when the disk does not take it, or is so full that the rest is left to alerts.
    public func put(_ jpeg: Data, of id: AlertID, by vehicle: VehicleIdentity, hasAlert: Bool) throws {
        if let space = space(path),
            space.freeBytes < min(Self.leftFree.mostBytes, Int64(Double(space.totalBytes) * Self.leftFree.share))
        {
            throw UserError(.ioError, "\(path): the disk is nearly full, and what is free is left to alerts")
        }
        let digest = SHA256.hexadecimal(SHA256.digest(of: jpeg))
        let file = file(digest)
        if (try? FilePieces.contents(of: file, limit: SnapshotLimits.maximumBytes)) != jpeg { try write(jpeg, to: file) }
        try write(Data((digest + "\n").utf8), to: name(hasAlert ? .alerts : .waiting, vehicle, id))
    }

    /// The picture of the alert `id` of `vehicle`; nil when there is none, or it is not what was stored. `digest` is the SHA-256 that the
    /// alert names, where it names one: another picture is none of its own.
    public func find(_ id: AlertID, by vehicle: VehicleIdentity, digest: String?) -> Data? {
        for place in [Place.alerts, .waiting] {
            guard let known = self.digest(at: name(place, vehicle, id)), digest ?? known == known else { continue }
            let jpeg = try? FilePieces.contents(of: file(known), limit: SnapshotLimits.maximumBytes)
            if let jpeg, SHA256.hexadecimal(SHA256.digest(of: jpeg)) == known { return jpeg }
        }
        return nil
    }

    /// Snapshots that wait for their alert, with the time since which each waits.
    public func waiting() -> [(id: AlertID, vehicle: VehicleIdentity, since: Timestamp)] {
        names(in: .waiting).compactMap { vehicle, id, file in
            modified(file).map { (id, vehicle, $0) }
        }
    }

    /// The alert has arrived.
    public func release(_ id: AlertID, by vehicle: VehicleIdentity) throws {
        guard let digest = digest(at: name(.waiting, vehicle, id)) else { return }
        try write(Data((digest + "\n").utf8), to: name(.alerts, vehicle, id))
        unlink(name(.waiting, vehicle, id))
    }

    /// The alert has not come.
    public func drop(_ id: AlertID, by vehicle: VehicleIdentity) { unlink(name(.waiting, vehicle, id)) }

    /// Removes what was stored before `oldest`, and pictures that no alert names. Returns how many pictures went.
    public func removeOlder(than oldest: Timestamp) -> Int {
        for place in [Place.alerts, .waiting] {
            for (_, _, file) in names(in: place) {
                if let at = modified(file), at < oldest { unlink(file) }
            }
        }
        return removeUnnamed(before: oldest)
    }

    /// The alerts of `vehicle` that have a picture, or one that waits for them.
    public func alerts(of vehicle: VehicleIdentity) -> [AlertID] {
        [Place.alerts, .waiting].flatMap { names(in: $0) }.filter { $0.vehicle == vehicle }.map(\.id)
    }

    /// Removes the pictures of `alerts` of `vehicle`, unless another alert names the same bytes. Returns how many pictures went.
    public func remove(_ alerts: [AlertID], of vehicle: VehicleIdentity) -> Int {
        var digests: Set<String> = []
        for id in alerts {
            for place in [Place.alerts, .waiting] {
                let name = name(place, vehicle, id)
                if let digest = digest(at: name) { digests.insert(digest) }
                unlink(name)
            }
        }
        digests.subtract(named)
        return digests.reduce(0) { $0 + (unlink(file($1)) == 0 ? 1 : 0) }
    }

    private var named: Set<String> {
        Set([Place.alerts, .waiting].flatMap { names(in: $0) }.compactMap { digest(at: $0.file) })
    }

    /// Removes pictures that no alert names and that were stored before `time`: one that was written a moment ago may not be named yet.
    /// Returns how many.
    public func removeUnnamed(before time: Timestamp) -> Int {
        let kept = named
        return pictures.reduce(0) { count, picture in
            guard !kept.contains(picture.digest), let at = modified(picture.file), at < time, unlink(picture.file) == 0 else {
                return count
            }
            return count + 1
        }
    }

    private var pictures: [(digest: String, file: String)] {
        entries(of: path + "/files").flatMap { folder in
            entries(of: "\(path)/files/\(folder)").map { (String($0.prefix(64)), "\(path)/files/\(folder)/\($0)") }
        }
    }

    /// Makes the folder `copy` the same as this one, while it is in use: pictures first, then the names, then what is no longer here goes.
    /// Returns how many pictures it holds. Throws `UserError`.
    public func copy(to copy: String) throws -> Int {
        let from = [Place.alerts, .waiting].flatMap { names(in: $0) }.map(\.file)
        let pictures = pictures.map(\.file)
        var kept: Set<String> = []
        for file in pictures + from {
            let target = copy + file.dropFirst(path.count)
            kept.insert(target)
            // A picture is named by its content: one of that name and size is the same.
            if target.hasSuffix(".jpg"), size(target) == size(file) { continue }
            guard let data = try? FilePieces.contents(of: file, limit: SnapshotLimits.maximumBytes) else { continue }
            try write(data, to: target)
        }
        for file in SnapshotFolder.files(below: copy) where !kept.contains(file) { unlink(file) }
        return pictures.count
    }

    private func size(_ file: String) -> Int64? {
        var status = stat()
        return stat(file, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Every file of ours below `folder`.
    private static func files(below folder: String) -> [String] {
        ["files", "alerts", "waiting"].flatMap { part in
            let root = folder + "/" + part
            guard let names = FileManager.default.enumerator(atPath: root) else { return [String]() }
            return names.compactMap { $0 as? String }.map { root + "/" + $0 }.filter {
                var status = stat()
                return stat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            }
        }
    }

    /// Alerts that have a picture, the oldest first as their ids say.
    public func pictured() -> [(id: AlertID, vehicle: VehicleIdentity)] {
        names(in: .alerts).map { (id: $0.id, vehicle: $0.vehicle) }.sorted { $0.id.description < $1.id.description }
    }

    /// The alert is gone; its picture goes with the next look for unnamed ones.
    public func forget(_ id: AlertID, by vehicle: VehicleIdentity) { unlink(name(.alerts, vehicle, id)) }

    // MARK: names

    private func file(_ digest: String) -> String { "\(path)/files/\(digest.prefix(2))/\(digest).jpg" }

    /// Both parts of a vehicle's name and a UUID are safe as names of files: letters, digits, `_` and `-`.
    private func name(_ place: Place, _ vehicle: VehicleIdentity, _ id: AlertID) -> String {
        "\(path)/\(place.rawValue)/\(vehicle.fleet)/\(vehicle.vehicle)/\(id)"
    }

    private func names(in place: Place) -> [(vehicle: VehicleIdentity, id: AlertID, file: String)] {
        let root = "\(path)/\(place.rawValue)"
        return entries(of: root).flatMap { fleet in
            entries(of: "\(root)/\(fleet)").flatMap { vehicle in
                entries(of: "\(root)/\(fleet)/\(vehicle)").compactMap { name in
                    guard let who = VehicleIdentity(fleet: fleet, vehicle: vehicle), let id = AlertID(name) else { return nil }
                    return (who, id, "\(root)/\(fleet)/\(vehicle)/\(name)")
                }
            }
        }
    }

    private func entries(of folder: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private func digest(at path: String) -> String? {
        guard let text = try? FilePieces.contents(of: path, limit: 128) else { return nil }
        let digest = String(decoding: text, as: UTF8.self).prefix(64)
        return digest.count == 64 && digest.allSatisfy { $0.isHexDigit && !$0.isUppercase } ? String(digest) : nil
    }

    private func modified(_ path: String) -> Timestamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Timestamp(secondsSinceEpoch: Double(status.st_mtim.tv_sec))
    }

    private func write(_ data: Data, to file: String) throws {
        let folder = FilePath.folder(of: file)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw UserError(.ioError, "\(folder): cannot be made; check store.snapshots and permissions") }
        try DurableFile.write(data, to: file)
    }
}
