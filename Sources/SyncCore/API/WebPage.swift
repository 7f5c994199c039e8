import FleetRuntime
import Foundation
import HTTPServer

/// The fleet view's files, read once at start.
struct WebPage: Sendable {
    private struct File: Sendable {
        let path: String
        let type: String
        let data: Data
        let etag: String
    }

    private let files: [File]

    /// Reads the files from `share/fleet-safety/web` of the installation, or from the build's resources. Throws `UserError` that names both.
    static func load() throws -> WebPage {
        let places = [InstallationFolder.share + "/web"] + BuildResources.folders(target: "SyncCore").map { $0 + "/Web" }
        guard let folder = places.first(where: { FileManager.default.fileExists(atPath: $0 + "/index.html") }) else {
            throw UserError(.noInput, "the fleet view's files are missing: looked for \(places.joined(separator: ", "))")
        }
        let names = [
            ("/", "index.html", "text/html; charset=utf-8"), ("/app.js", "app.js", "text/javascript; charset=utf-8"),
            ("/style.css", "style.css", "text/css; charset=utf-8"),
        ]
        return WebPage(
            files: try names.map { path, name, type in
                let data = try FilePieces.contents(of: folder + "/" + name, limit: 1 << 20)
                return File(
                    path: path, type: type, data: data, etag: "\"\(SHA256.hexadecimal(SHA256.digest(of: data).prefix(8)))\"")
            })
    }

    func addRoutes(to router: inout HTTPRouter) {
        for file in files {
            router.addOpen("GET", file.path) { request, _ in
                let headers = [("Content-Type", file.type), ("Cache-Control", "no-cache"), ("ETag", file.etag)]
                if request.headers["if-none-match"] == file.etag { return HTTPResponse(status: 304, headers: headers) }
                return HTTPResponse(status: 200, headers: headers, body: .data(file.data))
            }
        }
    }
}
