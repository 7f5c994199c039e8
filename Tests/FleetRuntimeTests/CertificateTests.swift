import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Testing

@Suite("Certificates")
struct CertificateTests {
    private func certificate(days: Int) throws -> Certificate {
        let authority = try TestAuthority()
        try authority.run(["vehicle", "demo/truck-1", "--days", String(days)])
        let path = authority.path("vehicles/demo/truck-1/vehicle.pem")
        return try Certificate(pem: String(contentsOfFile: path, encoding: .utf8), file: path)
    }

    @Test("say whose they are and how long they last")
    func reading() throws {
        let certificate = try certificate(days: 100)
        let now = WallClock.now()
        #expect(certificate.commonName == "demo/truck-1")
        #expect(abs(certificate.notAfter.secondsSinceEpoch - now.secondsSinceEpoch - 100 * 86_400) < 60)
        #expect(certificate.notBefore.secondsSinceEpoch < now.secondsSinceEpoch - 86_000)
        #expect(certificate.concern(at: now) == nil)
        #expect(certificate.concern(at: now.advanced(bySeconds: 80 * 86_400))?.hasPrefix("expires in 19 days") == true)
        #expect(certificate.concern(at: now.advanced(bySeconds: 101 * 86_400))?.hasPrefix("expired on") == true)
        #expect(certificate.concern(at: .epoch)?.hasPrefix("not valid before") == true)
    }

    @Test(
        "that are none are refused with the file's name",
        arguments: ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func nonsense(text: String) {
        #expect(throws: UserError(.configuration, "a.pem: holds no certificate in PEM")) {
            try Certificate(pem: text, file: "a.pem")
        }
        #expect(throws: UserError(.configuration, "a.key: holds no private key in PEM, or one under a passphrase")) {
            try Certificate.checkKey(text, keyFile: "a.key", fits: text, file: "a.pem")
        }
    }

    @Test("an authority under a passphrase signs with it and refuses without")
    func passphrase() throws {
        let folder = try TemporaryFolder()
        try Data("correct horse\n".utf8).write(to: URL(filePath: folder.path("passphrase")))
        let script = TestAuthority.checkout + "scripts/make-certs"
        let with = ["FLEET_CA_PASSPHRASE_FILE": folder.path("passphrase")]
        let made = try ExternalProgram.runBlocking(script, ["init", "--dir", folder.path("ca")], environment: with)
        #expect(made.status == 0, "\(made.output)")
        let key = try String(contentsOfFile: folder.path("ca/ca.key"), encoding: .utf8)
        #expect(key.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
        #expect(throws: UserError.self) { try Certificate.checkKey(key, keyFile: "ca.key", fits: "", file: "ca.pem") }
        let vehicle = ["vehicle", "demo/truck-1", "--dir", folder.path("ca")]
        #expect(try ExternalProgram.runBlocking(script, vehicle).status == 64)
        #expect(try ExternalProgram.runBlocking(script, vehicle, environment: with).status == 0)
    }

    @Test(
        "are made only for names that the contract knows",
        arguments: [
            ["vehicle", "truck-1"], ["vehicle", "demo/truck/1"], ["vehicle", "demo/#"], ["vehicle", "demo/+"],
            ["vehicle", "/truck-1"],
            ["vehicle", "demo/CN=x"], ["vehicle", String(repeating: "a", count: 32) + "/" + String(repeating: "b", count: 32)],
            ["sync", "a b"], ["viewer", "../x"], ["server", "api"], ["server", "api", "--host", "a,DNS:b"],
            ["revoke", "vehicle", "demo/none"],
            ["renew", "vehicle", "demo/none"], ["vehicle", "demo/truck-1", "--days", "0"],
        ])
    func names(arguments: [String]) throws {
        let authority = try TestAuthority()
        #expect(throws: TestAuthority.Failure.self) { try authority.run(arguments) }
        #expect(try authority.run(["list"]).split(separator: "\n").count == 1)
    }

    @Test("keys are readable by their owner alone, and one made elsewhere stays there")
    func keys() throws {
        let authority = try TestAuthority()
        let key = try #require(try authority.client("vehicle", "demo/truck-1").keyFile)
        for path in [key, authority.path("ca.key")] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600, "\(path)")
        }
        let folder = try TemporaryFolder()
        // Whoever asks does not choose the name: the request says fleet-sync.
        let request = try ExternalProgram.runBlocking(
            "openssl",
            [
                "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder.path("own.key"),
                "-subj", "/CN=fleet-sync", "-addext", "basicConstraints=CA:TRUE", "-out", folder.path("own.csr"),
            ])
        #expect(request.status == 0, "\(request.output)")
        try authority.run(["vehicle", "demo/truck-2", "--csr", folder.path("own.csr")])
        let path = authority.path("vehicles/demo/truck-2/vehicle.pem")
        let pem = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try Certificate(pem: pem, file: path).commonName == "demo/truck-2")
        let text = try ExternalProgram.runBlocking("openssl", ["x509", "-noout", "-text", "-in", path]).output
        #expect(text.contains("CA:FALSE") && !text.contains("CA:TRUE"))
        try Certificate.checkKey(
            String(contentsOfFile: folder.path("own.key"), encoding: .utf8), keyFile: "own", fits: pem, file: path)
        #expect(!FileManager.default.fileExists(atPath: authority.path("vehicles/demo/truck-2/vehicle.key")))
    }
}
