import CCurl

/// The address of an HTTP server, e.g. `https://fleet.example.org:8443` or `http://127.0.0.1:8080`, with an optional path in front.
///
/// Read by libcurl itself, so that what is checked here and what is asked later are the same.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Scheme, host, port and path without a slash at its end.
    public let description: String
    /// Whether the connection is encrypted.
    public let isEncrypted: Bool
    /// Whether the server is this computer.
    public let isLoopback: Bool

    /// Reads `text`. Throws `.badAddress` for anything but http and https, for a name or password in it, for a query.
    public init(_ text: String) throws(HTTPClientError) {
        guard let url = curl_url() else { throw .badAddress("out of memory") }
        defer { curl_url_cleanup(url) }
        let isShort = text.utf8.count <= 2048
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        guard isShort, curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK else {
            throw .badAddress("not a URL; give one like http://127.0.0.1:8080")
        }
        guard let scheme = Self.part(CURLUPART_SCHEME, of: url), scheme == "http" || scheme == "https" else {
            throw .badAddress("must begin with http:// or https://")
        }
        guard Self.part(CURLUPART_USER, of: url) == nil, Self.part(CURLUPART_PASSWORD, of: url) == nil else {
            throw .badAddress("must not hold a name or password; the token comes from a file")
        }
        guard Self.part(CURLUPART_QUERY, of: url) == nil, Self.part(CURLUPART_FRAGMENT, of: url) == nil else {
            throw .badAddress("must end with the host, the port or a path")
        }
        guard let host = Self.part(CURLUPART_HOST, of: url), !host.isEmpty else { throw .badAddress("has no host") }
        isEncrypted = scheme == "https"
        isLoopback =
            host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
        var address = scheme + "://" + host
        if let port = Self.part(CURLUPART_PORT, of: url) { address += ":" + port }
        var path = Self.part(CURLUPART_PATH, of: url) ?? ""
        while path.hasSuffix("/") { path.removeLast() }
        description = address + path
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
