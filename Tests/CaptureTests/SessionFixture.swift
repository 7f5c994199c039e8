import FleetRuntime
import FleetTestSupport
import Foundation
import Imaging
import Testing

/// A session folder that a test fills.
struct SessionFixture {
    let folder: TemporaryFolder
    var path: String { folder.url.path() }

    /// A folder with `session.json` as given and `images` small pictures under `frames`.
    init(json: String? = Self.imagesJSON, images: Int = 3) throws {
        folder = try TemporaryFolder()
        if let json { try write(json, as: "session.json") }
        guard images > 0 else { return }
        try FileManager.default.createDirectory(atPath: folder.path("frames"), withIntermediateDirectories: true)
        for i in 0..<images { try blackFrame(width: 32, height: 16).write(path: folder.path("frames/000\(i).png")) }
    }

    static let imagesJSON = #"{"version":1,"vehicle":"truck-17","startedAt":"2026-03-01T08:15:02.120Z","frames":"frames","fps":10}"#

    func write(_ text: String, as name: String) throws { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
}

/// The error that `body` throws; a test failure when it throws none or another kind.
func userError(_ body: () throws -> Void) throws -> UserError {
    let error = #expect(throws: UserError.self) { try body() }
    return try #require(error)
}

/// A black picture; a test failure when there is no memory for it.
func blackFrame(width: Int, height: Int) throws -> Frame {
    guard let frame = Frame(width: width, height: height) else {
        Issue.record("no memory for a picture")
        throw CancellationError()
    }
    return frame
}
