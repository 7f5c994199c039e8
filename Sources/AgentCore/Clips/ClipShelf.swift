import Capture
import FleetRuntime
import Foundation
import Glibc

/// The folder of clips and ring: who may read them, how old and how large they may get.
struct ClipShelf: Sendable {
    private let path: String
    private let maximumAgeS: Double
    private let maximumBytes: Int64
    private static let ringName = "ring"
    private static let clipPrefix = "clip-"

    /// Makes the folder, empties the ring that an earlier run left, and tidies up. Throws `UserError` when it cannot be used.
    init(path: String, maximumAgeS: Double, maximumBytes: Int64) throws {
        self.path = path
        self.maximumAgeS = maximumAgeS
        self.maximumBytes = maximumBytes
        let parent = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        do {
            try ClipWriter.makeFolder(path)
            try ClipWriter.makeFolder(path + "/" + Self.ringName)
        } catch let error as UserError { throw UserError(error.code, "clips.path: \(error.message)") }
        emptyRing()
        tidy()
    }

    /// Where the picture of `timeS` lies in the ring.
    func ringFile(timeS: Double) -> String { "\(path)/\(Self.ringName)/\(Int64(timeS * 1000)).jpg" }

    /// A path for a clip that does not exist yet.
    func newClip(named name: String) throws -> String {
        for attempt in 1...100 {
            let candidate = "\(path)/\(Self.clipPrefix)\(name)\(attempt == 1 ? "" : "-\(attempt)")"
            if access(candidate, F_OK) != 0 { return candidate }
        }
        throw UserError(.ioError, "\(path): a hundred clips are called \(name)")
    }

    /// Deletes the ring's pictures and clips that were never completed.
    func emptyRing() {
        for name in names(in: path + "/" + Self.ringName) { unlink("\(path)/\(Self.ringName)/\(name)") }
        for name in names(in: path) where name.hasPrefix(Self.clipPrefix) && name.hasSuffix(".partial") { remove(name) }
    }

    /// Deletes clips that are too old, then the oldest until what is left is small enough.
    func tidy() {
        let now = Double(time(nil))
        var clips = names(in: path).filter { $0.hasPrefix(Self.clipPrefix) && !$0.hasSuffix(".partial") }.map { name in
            var status = stat()
            let isThere = stat("\(path)/\(name)", &status) == 0
            return (name: name, writtenS: isThere ? Double(status.st_mtim.tv_sec) : 0, bytes: bytes(of: name))
        }.sorted { ($0.writtenS, $0.name) < ($1.writtenS, $1.name) }
        var total = clips.reduce(0) { $0 + $1.bytes }
        while let oldest = clips.first, total > maximumBytes || now - oldest.writtenS > maximumAgeS {
            remove(oldest.name)
            total -= oldest.bytes
            clips.removeFirst()
        }
    }

    private func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }
    }

    private func bytes(of clip: String) -> Int64 {
        (names(in: "\(path)/\(clip)").map { "\(path)/\(clip)/\($0)" }
            + names(in: "\(path)/\(clip)/frames").map { "\(path)/\(clip)/frames/\($0)" })
            .reduce(0) { total, file in
                var status = stat()
                return total + (lstat(file, &status) == 0 ? Int64(status.st_size) : 0)
            }
    }

    private func remove(_ name: String) { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
}
