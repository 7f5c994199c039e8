import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Glibc
import Testing

@Suite struct SnapshotFolderTests {
    let folder: TemporaryFolder
    let snapshots: SnapshotFolder
    let vehicle = SampleAlerts.identity

    init() throws {
        folder = try TemporaryFolder()
        snapshots = SnapshotFolder(path: folder.path("pictures"))
    }

    @Test("A picture is found under its alert, over a restart, by its vehicle and digest only; nobody else may read the files")
    func found() async throws {
        let jpeg = SamplePicture.jpeg(1)
        let digest = SHA256.hexadecimal(SHA256.digest(of: jpeg))
        try await snapshots.put(jpeg, of: SampleAlerts.id(1), by: vehicle, hasAlert: true)
        let again = SnapshotFolder(path: folder.path("pictures"))
        #expect(await again.find(SampleAlerts.id(1), by: vehicle, digest: digest) == jpeg)
        #expect(await again.find(SampleAlerts.id(1), by: vehicle, digest: nil) == jpeg)
        #expect(await again.find(SampleAlerts.id(1), by: vehicle, digest: String(repeating: "0", count: 64)) == nil)
        #expect(await again.find(SampleAlerts.id(2), by: vehicle, digest: nil) == nil)
        let other = try #require(VehicleIdentity(fleet: "demo", vehicle: "truck-18"))
        #expect(await again.find(SampleAlerts.id(1), by: other, digest: nil) == nil)
        var status = stat()
        #expect(stat(folder.path("pictures/files/\(digest.prefix(2))/\(digest).jpg"), &status) == 0)
        #expect(status.st_mode & 0o077 == 0)
    }

    @Test("A picture that was altered on the disk is not given out")
    func altered() async throws {
        let jpeg = SamplePicture.jpeg(1)
        try await snapshots.put(jpeg, of: SampleAlerts.id(1), by: vehicle, hasAlert: true)
        let digest = SHA256.hexadecimal(SHA256.digest(of: jpeg))
        try Data("nonsense".utf8).write(to: folder.url.appending(path: "pictures/files/\(digest.prefix(2))/\(digest).jpg"))
        #expect(await snapshots.find(SampleAlerts.id(1), by: vehicle, digest: digest) == nil)
        // Sent again, it is whole again.
        try await snapshots.put(jpeg, of: SampleAlerts.id(1), by: vehicle, hasAlert: true)
        #expect(await snapshots.find(SampleAlerts.id(1), by: vehicle, digest: digest) == jpeg)
    }

    @Test("A waiting picture is listed, can be seen, and moves to its alert or goes")
    func waiting() async throws {
        for i in 1...2 { try await snapshots.put(SamplePicture.jpeg(i), of: SampleAlerts.id(i), by: vehicle, hasAlert: false) }
        #expect(Set(await snapshots.waiting().map(\.id)) == [SampleAlerts.id(1), SampleAlerts.id(2)])
        try await snapshots.release(SampleAlerts.id(1), by: vehicle)
        await snapshots.drop(SampleAlerts.id(2), by: vehicle)
        #expect(await snapshots.waiting().isEmpty)
        #expect(await snapshots.find(SampleAlerts.id(1), by: vehicle, digest: nil) == SamplePicture.jpeg(1))
        #expect(await snapshots.find(SampleAlerts.id(2), by: vehicle, digest: nil) == nil)
    }

    @Test("What is too old goes with its file; what is younger, or shared with a younger one, stays")
    func old() async throws {
        let now = WallClock.now()
        try await snapshots.put(SamplePicture.jpeg(1), of: SampleAlerts.id(1), by: vehicle, hasAlert: true)
        try await snapshots.put(SamplePicture.jpeg(2), of: SampleAlerts.id(2), by: vehicle, hasAlert: true)
        #expect(await snapshots.removeOlder(than: now.advanced(bySeconds: -60)) == 0)
        #expect(await snapshots.removeOlder(than: now.advanced(bySeconds: 60)) == 2)
        #expect(await snapshots.find(SampleAlerts.id(1), by: vehicle, digest: nil) == nil)
    }

    @Test("A picture goes when its alert is gone and no other alert has it")
    func gone() async throws {
        for number in 1...3 {
            try await snapshots.put(SamplePicture.jpeg(min(number, 2)), of: SampleAlerts.id(number), by: vehicle, hasAlert: true)
        }
        #expect(await snapshots.pictured().map(\.id) == [1, 2, 3].map { SampleAlerts.id($0) })
        for number in [1, 2] { await snapshots.forget(SampleAlerts.id(number), by: vehicle) }
        let soon = WallClock.now().advanced(bySeconds: 60)
        #expect(await snapshots.removeUnnamed(before: WallClock.now().advanced(bySeconds: -60)) == 0)
        #expect(await snapshots.removeUnnamed(before: soon) == 1)
        #expect(await snapshots.find(SampleAlerts.id(3), by: vehicle, digest: nil) == SamplePicture.jpeg(2))
        #expect(await snapshots.find(SampleAlerts.id(1), by: vehicle, digest: nil) == nil)
    }

    @Test(
        "A disk that is nearly full is left to alerts", arguments: [(60, 1000, true), (40, 1000, false), (1 << 31, 1 << 40, true)])
    func nearlyFull(freeBytes: Int64, totalBytes: Int64, isTaken: Bool) async throws {
        let folder = SnapshotFolder(path: folder.path("full")) { _ in FileSystemSpace(freeBytes: freeBytes, totalBytes: totalBytes)
        }
        var refusal: (any Error)?
        do { try await folder.put(SamplePicture.jpeg(1), of: SampleAlerts.id(1), by: vehicle, hasAlert: true) } catch {
            refusal = error
        }
        #expect((refusal == nil) == isTaken)
        #expect(isTaken || (refusal as? UserError)?.message.contains("nearly full") == true)
    }

    static let headers: [(data: Data, reason: String?)] = [
        (SamplePicture.jpeg(1), nil), (Data(), "the snapshot is no JPEG"), (Data([0xFF, 0xD8]), "the snapshot is no JPEG"),
        (Data("GIF89a".utf8), "the snapshot is no JPEG"), (SamplePicture.jpeg(1).dropLast(), "the snapshot is cut off"),
        (SamplePicture.jpeg(1, width: 0), "the snapshot is 0 x 480 pixels"),
        (SamplePicture.jpeg(1, width: 20_000), "the snapshot is 20000 x 480 pixels"),
        (Data([0xFF, 0xD8, 0xFF, 0xD9]), "the snapshot's JPEG header is damaged"),
        (Data([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0xFF, 0xD9]), "the snapshot's JPEG header is damaged"),
        (Data([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 1000) + [0xD9]), "the snapshot's JPEG header is damaged"),
    ]

    @Test("A JPEG is known by its markers and its size", arguments: headers)
    func header(data: Data, reason: String?) {
        let found: String?
        do throws(JPEGHeader.Malformed) {
            let header = try JPEGHeader(data)
            #expect(header.width == 640 && header.height == 480)
            found = nil
        } catch { found = error.reason }
        #expect(found == reason)
    }

    @Test("The pictures of alerts are removed with their names; one that another alert shows too stays")
    func removed() async throws {
        for i in 1...3 {
            try await snapshots.put(SamplePicture.jpeg(min(i, 2)), of: SampleAlerts.id(i), by: vehicle, hasAlert: i > 1)
        }
        #expect(Set(await snapshots.alerts(of: vehicle)) == [SampleAlerts.id(1), SampleAlerts.id(2), SampleAlerts.id(3)])
        #expect(await snapshots.remove([SampleAlerts.id(1), SampleAlerts.id(2)], of: vehicle) == 1)
        #expect(await snapshots.alerts(of: vehicle) == [SampleAlerts.id(3)])
        #expect(await snapshots.find(SampleAlerts.id(3), by: vehicle, digest: nil) == SamplePicture.jpeg(2))
        #expect(await snapshots.find(SampleAlerts.id(2), by: vehicle, digest: nil) == nil)
    }

    @Test("A copy holds the same, is brought up to date by the next one, and is a folder like the first")
    func copied() async throws {
        for i in 1...2 { try await snapshots.put(SamplePicture.jpeg(i), of: SampleAlerts.id(i), by: vehicle, hasAlert: i > 1) }
        let copy = SnapshotFolder(path: folder.path("copy"))
        #expect(try await snapshots.copy(to: folder.path("copy")) == 2)
        for i in 1...2 { #expect(await copy.find(SampleAlerts.id(i), by: vehicle, digest: nil) == SamplePicture.jpeg(i)) }
        #expect(await copy.waiting().map(\.id) == [SampleAlerts.id(1)])
        _ = await snapshots.remove([SampleAlerts.id(2)], of: vehicle)
        try await snapshots.put(SamplePicture.jpeg(3), of: SampleAlerts.id(3), by: vehicle, hasAlert: true)
        #expect(try await snapshots.copy(to: folder.path("copy")) == 2)
        #expect(Set(await copy.alerts(of: vehicle)) == [SampleAlerts.id(1), SampleAlerts.id(3)])
        #expect(await copy.find(SampleAlerts.id(3), by: vehicle, digest: nil) == SamplePicture.jpeg(3))
    }
}
