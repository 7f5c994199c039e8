import FleetModel
import FleetRuntime
import Testing

@testable import AgentCore

@Suite("The section signs")
struct SignConfigurationTests {
    private static func signs(_ section: String) throws -> SignConfiguration {
        let text = "fleet: north\nvehicle: van-7\nmqtt:\n  url: mqtt://127.0.0.1:1883\n\(section)"
        return try AgentConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: "agent.yaml")).signs
    }

    @Test("Signs are read only where the country is named, and not where they are switched off")
    func read() throws {
        #expect(try !Self.signs("").areRead)
        #expect(try Self.signs("signs:\n  country: DE\n").areRead)
        #expect(try !Self.signs("signs:\n  country: DE\n  read: false\n").areRead)
        #expect(try !Self.signs("signs:\n  read: true\n").areRead)
    }

    @Test("The country gives the profile")
    func profile() throws {
        #expect(try Self.signs("signs:\n  country: gb\n").profile.roundUnit == .milesPerHour)
        #expect(try Self.signs("signs:\n  country: US\n").profile.hasPlates)
    }

    @Test(
        "What is no country, or no switch, is refused in one line that names file, line and key",
        arguments: [("country: Germany", "country"), ("country: 49", "country"), ("read: perhaps", "read"), ("land: DE", "land")])
    func refused(line: String, key: String) {
        let error = #expect(throws: UserError.self) { try Self.signs("signs:\n  \(line)\n") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("agent.yaml"), "\(text)")
        #expect(text.contains(key), "\(text)")
        #expect(!text.contains("\n"))
    }
}
