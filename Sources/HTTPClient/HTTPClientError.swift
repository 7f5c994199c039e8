/// Why a request brought no answer, or not the wanted one.
public enum HTTPClientError: Error, Hashable, Sendable {
    /// The address is none that this client asks.
    case badAddress(String)
    /// No connection: the name is unknown, the port closed, the network down.
    case unreachable(String)
    /// No answer in time.
    case timedOut
    /// The server's certificate is not trusted, or the two do not agree on TLS.
    case untrusted(String)
    /// What answers at an https address does not speak TLS.
    case notEncrypted
    /// The connection broke within the answer.
    case broken(String)
    /// The answer is longer than what was allowed for.
    case tooLarge(bytes: Int)
    /// The server sends elsewhere; it is not followed, because the token would go there too.
    case redirected(to: String)
    /// The server refuses; `detail` is what its problem document says (RFC 9457), if it sent one.
    case refused(status: Int, detail: String?)
    /// The caller gave up.
    case cancelled
}
