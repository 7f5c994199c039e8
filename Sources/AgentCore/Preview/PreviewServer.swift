import FleetModel
import FleetRuntime
import Foundation
import HTTPServer
import Imaging
import VisionPipeline

/// The preview page of a running agent, on loopback: what the camera sees and what the agent makes of it, live.
final class PreviewServer: Sendable {
    /// Width to which pictures are made smaller for the page, in pixels.
    private static let width = 960
    /// JPEG quality of these.
    private static let quality = 75

    private let server: HTTPServer

    /// Listens on 127.0.0.1. Throws `UserError` when the port is taken, a file of the page is missing or an own sign cannot be read.
    init(feed: PreviewFeed, _ configuration: AgentConfiguration) throws {
        var settings = HTTPServer.Settings()
        settings.port = configuration.preview.port ?? 0
        settings.connectionLimit = 32
        let access = AccessPolicy(hosts: Set(["127.0.0.1", "localhost", "[::1]"] + configuration.preview.hosts), tokens: nil)
        let router = try Self.router(feed, configuration.overlay)
        server = HTTPServer(settings: settings) { request in
            if let refusal = access.refusalByHost(request) { return refusal }
            var response = await router.respond(to: request)
            response.headers += [
                ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'"),
            ]
            return response
        }
        let port = try server.start()
        Log("preview").info("http://127.0.0.1:\(port)/ shows what the camera sees")
    }

    /// Stops listening.
    func stop() async { await server.stop() }

    private static func router(_ feed: PreviewFeed, _ overlay: OverlayConfiguration) throws -> HTTPRouter {
        var router = HTTPRouter()
        for (path, name, type) in [
            ("/", "index.html", "text/html; charset=utf-8"), ("/preview.js", "preview.js", "text/javascript; charset=utf-8"),
            ("/preview.css", "preview.css", "text/css; charset=utf-8"),
        ] {
            let data = try FilePieces.contents(of: folder() + "/" + name, limit: 1 << 20)
            router.add("GET", path) { _, _ in
                HTTPResponse(status: 200, headers: [("Content-Type", type), ("Cache-Control", "no-cache")], body: .data(data))
            }
        }
        // The built-in signs are drawn by the page; these take their place.
        _ = try OverlaySigns(images: overlay.images)
        let own = try overlay.images.map { ($0.key.rawValue, try FilePieces.contents(of: $0.value, limit: 16 << 20)) }
        let signs = Dictionary(uniqueKeysWithValues: own)
        router.add("GET", "/signs") { _, _ in .json(signs.keys.sorted()) }
        router.add("GET", "/signs/{kind}") { _, parameters in
            guard let data = signs[parameters["kind"] ?? ""] else { return .problem(404, "this kind has no picture of its own") }
            return .data(data, type: data.starts(with: [0xff, 0xd8]) ? "image/jpeg" : "image/png")
        }
        router.add("GET", "/stream") { _, _ in
            guard let moments = feed.moments() else {
                return .problem(503, "\(PreviewFeed.mostViewers) pages are open already; close one")
            }
            return .events { sink in
                for await moment in moments {
                    guard await sink.send(ServerSentEvent(event: "moment", data: Self.json(moment))) else { break }
                }
            }
        }
        return router
    }

    private static func json(_ moment: PreviewFeed.Moment) -> String {
        var state = moment.state
        if let frame = moment.frame { state.image = try? picture(frame.frame).base64EncodedString() }
        return (try? WireCodec.encode(state)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private static func picture(_ frame: borrowing Frame) throws -> Data {
        guard frame.width > width else { return try frame.jpeg(quality: quality) }
        return try frame.resized(width: width, height: max(1, frame.height * width / frame.width)).jpeg(quality: quality)
    }

    /// Where the page's files are: the installation's, or the build's resources.
    private static func folder() throws -> String {
        let places = [InstallationFolder.share + "/preview"] + BuildResources.folders(target: "AgentCore").map { $0 + "/Web" }
        guard let folder = places.first(where: { FileManager.default.fileExists(atPath: $0 + "/index.html") }) else {
            throw UserError(.noInput, "the preview page's files are missing: looked for \(places.joined(separator: ", "))")
        }
        return folder
    }
}
