import FleetModel
import FleetRuntime
import FoundationEssentials
import HTTPServer

/// The files that decide who may ask the API and what it shows of itself: read at start, and again on SIGHUP.
struct AccessFiles: Sendable {
    /// Largest file of tokens, in bytes: some ten thousand.
    private static let tokenFileLimit = 1 << 20

    /// Accepted tokens; nil asks for none.
    let tokens: AccessTokens?
    /// Certificate chain and key; nil for plain HTTP.
    let tls: HTTPServer.TLS?
    /// What the chain's first certificate says.
    let certificate: Certificate?

    /// Reads and checks all of them. Throws `UserError` that names the file.
    init(_ http: SyncHTTPConfiguration) throws {
        tokens = try http.tokenFile.map(Self.tokens)
        guard let certFile = http.certFile, let keyFile = http.keyFile else {
            (tls, certificate) = (nil, nil)
            return
        }
        try SecretFile.checkUnchangeable(certFile)
        let chain = String(decoding: try FilePieces.contents(of: certFile, limit: 1 << 20), as: UTF8.self)
        let key = try SecretFile.text(keyFile)
        try Certificate.checkKey(key, keyFile: keyFile, fits: chain, file: certFile)
        certificate = try Certificate(pem: chain, file: certFile)
        tls = HTTPServer.TLS(certificate: chain, key: key)
    }

    /// The tokens of a file; everybody may read it, for it holds digests only, and its owner alone may change it.
    static func tokens(_ path: String) throws -> AccessTokens {
        do { try SecretFile.checkUnchangeable(path) } catch let error as UserError where error.code == .noInput {
            throw UserError(.noInput, "\(error.message); `fleet-sync token add NAME` makes it")
        }
        return try AccessTokens(
            text: String(decoding: FilePieces.contents(of: path, limit: tokenFileLimit), as: UTF8.self), file: path)
    }
}
