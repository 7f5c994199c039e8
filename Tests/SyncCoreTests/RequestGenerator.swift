import FleetTestSupport
import Foundation

/// Makes requests, from ordinary to nonsense, each with the statuses that are right for it. The same seed makes the same requests.
struct RequestGenerator {
    /// One request.
    struct Request {
        let bytes: [UInt8]
        /// Statuses that are right; 0 is a connection that is closed without an answer.
        let allowed: Set<Int>
        /// Whether the server may be waiting for more: then the client says that there is none.
        var isBroken = false
    }

    private var random: Xorshift
    private let token: String
    private var number = 0

    init(seed: UInt64, token: String) {
        random = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        self.token = token
    }

    private static let open = ["/", "/web/live.js", "/web/style.css", "/healthz", "/readyz"]
    private static let data = [
        "/api/v1/alerts", "/api/v1/vehicles", "/api/v1/stats", "/metrics", "/api/v1/alerts/\(SampleAlerts.id(1))",
    ]
    private static let parameters = [
        "since", "until", "fleet", "vehicle", "kind", "severity", "limit", "cursor", "before", "by", "x",
    ]
    private static let values = [
        "", "0", "1", "-1", "1001", "99999999999999999999", "1e9", "NaN", "demo", "truck-17", "overspeed", "critical", "vehicle",
        "day",
        "2026-03-01T08:15:02Z", "9999-99-99T99:99:99Z", "%00", "%ff%fe", "%F0%9F%9A%9B", "'%20OR%201=1--", "../../etc/passwd", "%",
        "%zz",
        "a%0d%0aX-Injected:%201", "+", "%2B", String(repeating: "9", count: 300), String(repeating: "%41", count: 400),
    ]

    mutating func next() -> Request {
        number += 1
        switch random.below(12) {
        case 0: return ordinary()
        case 1: return unauthorised()
        case 2, 3: return query()
        case 4: return path()
        case 5: return method()
        case 6: return host()
        case 7: return session()
        case 8: return largeBody()
        case 9: return headers()
        case 10: return mutated()
        default: return garbage()
        }
    }

    private mutating func pick<T>(_ list: [T]) -> T { list[random.below(list.count)] }

    private func head(_ line: String, host: String = "localhost", authorization: String? = nil, more: [String] = []) -> [UInt8] {
        // An address of its own, as the proxy in front would write it.
        let address = "X-Forwarded-For: 10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        let lines =
            [line, "Host: \(host)", address, "Authorization: \(authorization ?? "Bearer " + token)", "Connection: close"] + more
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private mutating func ordinary() -> Request {
        Request(bytes: head("\(pick(["GET", "HEAD"])) \(pick(Self.open + Self.data)) HTTP/1.1"), allowed: [200])
    }

    private mutating func unauthorised() -> Request {
        let shown = pick([
            "Bearer", "Bearer ", "Bearer x", "Basic " + token, token, "Bearer " + token + token, "bearer\t" + token, "\u{7f}",
        ])
        return Request(bytes: head("GET \(pick(Self.data)) HTTP/1.1", authorization: shown), allowed: [401])
    }

    private mutating func query() -> Request {
        let pairs = (0..<(1 + random.below(4))).map { _ in "\(pick(Self.parameters))=\(pick(Self.values))" }
        let path = pick(["/api/v1/alerts", "/api/v1/stats"])

        return Request(
            bytes: head("GET \(path)?\(pairs.joined(separator: "&")) HTTP/1.1"), allowed: [200, 400])
    }

    private mutating func path() -> Request {
        let parts = [
            "api", "v1", "alerts", "x", "..", "%2e%2e", "%2f", "etc", "passwd", "\(SampleAlerts.id(9))", "%00", ".", "snapshot",
            "~",
        ]
        let path = "/nothing/" + (0..<random.below(8)).map { _ in pick(parts) }.joined(separator: "/")
        return Request(bytes: head("GET \(path) HTTP/1.1"), allowed: [404])
    }

    private mutating func method() -> Request {
        let method = pick(["DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW", "get", "POST"])
        return Request(
            bytes: head("\(method) \(pick(Self.open + Self.data)) HTTP/1.1", more: ["Content-Length: 0"]), allowed: [405])
    }

    private mutating func host() -> Request {
        let host = pick([
            "evil.example", "localhost.evil.example", "", "127.0.0.1.nip.io", "[::1", "localhost@evil", "::1", "%6cocalhost",
        ])
        return Request(bytes: head("GET \(pick(Self.open)) HTTP/1.1", host: host), allowed: [421])
    }

    private mutating func session() -> Request {
        let bodies: [(String, Set<Int>)] = [
            ("{\"token\":\"\(token)\"}", [204]), ("{\"token\":\"no\"}", [401]), ("{\"token\":7}", [400]), ("", [400]),
            ("{", [400]), ("[]", [400]), (String(repeating: "[", count: 20_000), [400]), ("token=\(token)", [400]),
            ("{\"token\":\"\(String(repeating: "x", count: 60_000))\"}", [401]),
        ]
        let (body, allowed) = pick(bodies)
        if random.below(3) == 0 {
            let chunks = "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n"
            let text = body.isEmpty ? "0\r\n\r\n" : chunks + "0\r\n\r\n"
            return Request(
                bytes: head("POST /api/v1/session HTTP/1.1", more: ["Transfer-Encoding: chunked"]) + Array(text.utf8),
                allowed: allowed)
        }
        return Request(
            bytes: head("POST /api/v1/session HTTP/1.1", more: ["Content-Length: \(body.utf8.count)"]) + Array(body.utf8),
            allowed: allowed)
    }

    private mutating func largeBody() -> Request {
        let count = 65_537 + random.below(20_000)
        let body = [UInt8](repeating: 0x78, count: count)
        return Request(bytes: head("POST /api/v1/session HTTP/1.1", more: ["Content-Length: \(count)"]) + body, allowed: [413])
    }

    private mutating func headers() -> Request {
        switch random.below(4) {
        case 0:
            let many = (0..<(100 + random.below(200))).map { "X-\($0): y" }
            return Request(bytes: head("GET / HTTP/1.1", more: many), allowed: [431])
        case 1:
            let long = "X-Long: " + String(repeating: "y", count: 70_000 + random.below(70_000))
            return Request(bytes: head("GET / HTTP/1.1", more: [long]), allowed: [0, 413, 431], isBroken: true)
        case 2: return Request(bytes: head("GET / HTTP/1.1", more: ["Host: localhost"]), allowed: [400])
        default:
            let long = "/" + String(repeating: "a", count: 66_000 + random.below(10_000))
            return Request(bytes: head("GET \(long) HTTP/1.1"), allowed: [0, 414, 431], isBroken: true)
        }
    }

    /// An ordinary request in which some bytes are others, gone or doubled. Anything may come of it but a failure of the server.
    private mutating func mutated() -> Request {
        var bytes = random.below(2) == 0 ? ordinary().bytes : session().bytes
        for _ in 0..<(1 + random.below(6)) where !bytes.isEmpty {
            let at = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[at] = UInt8(random.below(256))
            case 1: bytes.remove(at: at)
            case 2: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 1 + random.below(20))], at: at)
            default: bytes.removeSubrange(at...)
            }
        }
        return Request(bytes: bytes, allowed: Self.anythingButFailure, isBroken: true)
    }

    private mutating func garbage() -> Request {
        let bytes = (0..<random.below(2000)).map { _ in UInt8(random.below(256)) }
        return Request(bytes: bytes, allowed: Self.anythingButFailure, isBroken: true)
    }

    /// 501 and 505 are refusals: a coding or a version that the server does not know.
    private static let anythingButFailure: Set<Int> = [
        0, 200, 204, 304, 400, 401, 403, 404, 405, 411, 413, 414, 415, 421, 429, 431, 501, 505,
    ]
}

/// Marsaglia's xorshift64*: small, and the same everywhere.
private struct Xorshift {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return bound <= 0 ? 0 : Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % bound
    }
}
