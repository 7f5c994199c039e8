import FleetRuntime
import HTTPClient

/// Where a webhook goes: the server, and the path with its query as they stand in the URL.
public struct WebhookAddress: Sendable {
    /// Scheme, host and port.
    let server: ServerAddress
    /// From the first slash on; begins with one.
    let target: String

    /// Reads `text`; the reason why it cannot be used never repeats it, because it may hold a secret.
    init(_ text: String) throws(WebhookAddress.Malformed) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains("#"),
            let scheme = text.firstRange(of: "://")
        else { throw Malformed(reason: "is no URL such as https://hooks.example.org/fleet") }
        let end = text[scheme.upperBound...].firstIndex { "/?".contains($0) } ?? text.endIndex
        do { server = try ServerAddress(String(text[..<end])) } catch {
            if case .badAddress(let reason) = error { throw Malformed(reason: reason) }
            throw Malformed(reason: "is no URL such as https://hooks.example.org/fleet")
        }
        let rest = String(text[end...])
        target = rest.hasPrefix("/") ? rest : "/" + rest
    }

    /// Why a text is no address.
    struct Malformed: Error { let reason: String }
}
