import FleetRuntime
import Foundation
import HTTPServer

/// The fleet view's files, read once at start.
struct WebPage: Sendable {
    private struct File: Sendable {
        let path: String
        let type: String
        let data: Data
    }

    /// Pages by the path under which they are asked for; scripts and styles lie below `/web/`.
    private static let pages = [
        "index.html": "/", "alert.html": "/alerts/{id}", "vehicle.html": "/vehicles/{fleet}/{vehicle}",
        "statistics.html": "/statistics", "openapi.json": "/api/v1/openapi.json",
    ]
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json",
    ]
    /// Largest file, in bytes.
    private static let sizeLimit = 1 << 20
    /// Where Debian's libjs-leaflet puts its files; an installation has a copy.
    private static let systemLeaflet = "/usr/share/javascript/leaflet"

    private let files: [File]
    /// Whether the library that draws maps is among them.
    let hasLeaflet: Bool

    /// Reads the files from `share/fleet-safety/web` of the installation, or from the build's resources. Throws `UserError` that names both.
    static func load() throws -> WebPage {
        let places = [InstallationFolder.share + "/web"] + BuildResources.folders(target: "SyncCore").map { $0 + "/Web" }
        guard let folder = places.first(where: { FileManager.default.fileExists(atPath: $0 + "/index.html") }) else {
            throw UserError(.noInput, "the fleet view's files are missing: looked for \(places.joined(separator: ", "))")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let own = try names.compactMap { name in
            try file(folder + "/" + name, as: pages[name] ?? "/web/" + name)
        }
        let leaflet = try leafletFolder(beside: folder).map { folder in
            let script = ["leaflet.min.js", "leaflet.js"].first { FileManager.default.fileExists(atPath: folder + "/" + $0) }
            return try [script ?? "leaflet.js", "leaflet.css"].compactMap { name in
                try file(folder + "/" + name, as: "/web/leaflet/" + name.replacing(".min", with: ""))
            }
        }
        return WebPage(files: own + (leaflet ?? []), hasLeaflet: leaflet != nil)
    }

    private static func leafletFolder(beside folder: String) -> String? {
        [folder + "/leaflet", systemLeaflet].first { FileManager.default.fileExists(atPath: $0 + "/leaflet.css") }
    }

    /// Nil for files that no page asks for.
    private static func file(_ file: String, as path: String) throws -> File? {
        guard let type = file.split(separator: ".").last.flatMap({ types[String($0)] }) else { return nil }
        let data = try FilePieces.contents(of: file, limit: sizeLimit)
        return File(path: path, type: type, data: data)
    }

    func addRoutes(to router: inout HTTPRouter) {
        for file in files {
            // What a page makes of its parameters is the page's affair.
            router.addOpen("GET", file.path, query: file.path.hasPrefix("/api/") ? [] : nil) { _, _ in
                HTTPResponse(
                    status: 200, headers: [("Content-Type", file.type), ("Cache-Control", "no-cache")], body: .data(file.data))
            }
        }
    }
}
