import CCrypto
import FleetModel

/// What an X.509 certificate in PEM says that a program wants to know before it is used.
public struct Certificate: Sendable, Equatable {
    /// Seconds before the end from which on a program says that it is near: four weeks.
    public static let renewalS = 28.0 * 86_400

    /// The subject's common name; empty when there is none.
    public let commonName: String
    /// From when on it is valid.
    public let notBefore: Timestamp
    /// Until when it is valid.
    public let notAfter: Timestamp

    /// Reads the first certificate of `pem`. `file` names the text in errors. Throws `UserError`.
    public init(pem: String, file: String) throws {
        let read = Self.withCertificate(pem) { certificate -> Certificate? in
            var ok: (Int32, Int32) = (0, 0)
            let begin = fleet_x509_time(certificate, 0, &ok.0)
            let end = fleet_x509_time(certificate, 1, &ok.1)
            guard ok == (1, 1) else { return nil }
            var name = [CChar](repeating: 0, count: 256)
            fleet_x509_name(certificate, &name, Int32(name.count))
            return Certificate(
                commonName: String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
                notBefore: Timestamp(secondsSinceEpoch: Double(begin)), notAfter: Timestamp(secondsSinceEpoch: Double(end)))
        }
        guard let certificate = read ?? nil else { throw UserError(.configuration, "\(file): holds no certificate in PEM") }
        self = certificate
    }

    private init(commonName: String, notBefore: Timestamp, notAfter: Timestamp) {
        self.commonName = commonName
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Refuses `key` when it is not the private key of the first certificate of `pem`. The files name the texts in errors.
    public static func checkKey(_ key: String, keyFile: String, fits pem: String, file: String) throws {
        guard let secret = withBytes(key, fleet_key_read) else {
            throw UserError(.configuration, "\(keyFile): holds no private key in PEM, or one under a passphrase")
        }
        defer { EVP_PKEY_free(secret) }
        guard withCertificate(pem, { fleet_x509_fits($0, secret) }) == 1 else {
            throw UserError(.configuration, "\(keyFile): is not the key of the certificate in \(file)")
        }
    }

    /// What has to be said about the validity at `now`; nil when it is valid for a while yet.
    public func concern(at now: Timestamp) -> String? {
        if now > notAfter { return "expired on \(notAfter)" }
        if now < notBefore { return "not valid before \(notBefore)" }
        let leftS = notAfter.secondsSinceEpoch - now.secondsSinceEpoch
        return leftS < Self.renewalS ? "expires in \(Int(leftS / 86_400)) days, on \(notAfter)" : nil
    }

    private static func withCertificate<R>(_ pem: String, _ body: (OpaquePointer) -> R) -> R? {
        guard let certificate = withBytes(pem, fleet_x509_read) else { return nil }
        defer { X509_free(certificate) }
        return body(certificate)
    }

    private static func withBytes(_ text: String, _ body: (UnsafePointer<CChar>, Int32) -> OpaquePointer?) -> OpaquePointer? {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in chars.baseAddress.flatMap { body($0, Int32(chars.count)) } }
        }
    }
}
