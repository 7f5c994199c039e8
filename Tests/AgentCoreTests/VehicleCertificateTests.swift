import FleetModel
import FleetRuntime
import FleetTestSupport
import Testing

@testable import AgentCore

@Suite("The vehicle's certificate")
struct VehicleCertificateTests {
    private func configuration(_ settings: String) throws -> MQTTConfiguration {
        let document = try ConfigurationDocument(text: Array("mqtt: {\(settings)}".utf8), file: "agent.yaml")
        return try MQTTConfiguration(document.root.section("mqtt"), identity: SampleAlerts.identity)
    }

    @Test(
        "A certificate of another vehicle is refused before anything connects; one of this vehicle, and a name that is given, are taken"
    )
    func owner() throws {
        let authority = try TestAuthority()
        func settings(_ name: String) throws -> String {
            let tls = try authority.client("vehicle", name)
            return "url: 'mqtts://localhost', certFile: '\(tls.certFile ?? "")', keyFile: '\(tls.keyFile ?? "")'"
        }
        try configuration(settings("demo/truck-17")).checkCertificate()
        try configuration(settings("demo/truck-3") + ", username: demo/truck-3").checkCertificate()
        let error = try #require(throws: UserError.self) { try configuration(settings("demo/truck-3")).checkCertificate() }
        #expect(error.code == .configuration)
        #expect(error.message.contains("is the certificate of demo/truck-3, not of demo/truck-17"))
        try configuration("url: 'mqtt://localhost'").checkCertificate()
    }
}
