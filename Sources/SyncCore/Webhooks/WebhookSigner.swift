import FleetModel
import FleetRuntime
import Foundation

/// Signs what webhooks send, after "Standard Webhooks" 1.0 (standardwebhooks.com), so that receivers can use a library that is there.
///
/// What is signed is `ID.TIMESTAMP.BODY`, by HMAC-SHA256; a receiver refuses a timestamp that is minutes away, so that nobody can send an old
/// message again.
struct WebhookSigner: Sendable {
    /// Shortest secret, in bytes.
    private static let minimumBytes = 24

    private let key: [UInt8]

    /// `secret` is `whsec_` and base64, or any text. `file` names where it comes from.
    init(secret: String, file: String) throws {
        if secret.hasPrefix("whsec_") {
            guard let data = Data(base64Encoded: String(secret.dropFirst(6))) else {
                throw UserError(.configuration, "\(file): what follows whsec_ is no base64; `openssl rand -base64 32` makes some")
            }
            key = Array(data)
        } else {
            key = Array(secret.utf8)
        }
        guard key.count >= Self.minimumBytes else {
            throw UserError(
                .configuration,
                "\(file): the secret is shorter than \(Self.minimumBytes) bytes; `openssl rand -base64 32` makes one")
        }
    }

    /// The headers of a message.
    func headers(id: String, at time: Timestamp, body: Data) -> [(name: String, value: String)] {
        let seconds = Int64(time.secondsSinceEpoch)
        let code = MessageCode.hmacSHA256(key: key, message: Data("\(id).\(seconds).".utf8) + body)
        return [
            ("webhook-id", id), ("webhook-timestamp", String(seconds)),
            ("webhook-signature", "v1," + Data(code).base64EncodedString()),
        ]
    }
}
