import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@testable import SyncCore

@Suite("The store's configuration")
struct StoreConfigurationTests {
    private func configuration(_ store: String) throws -> SyncStoreConfiguration {
        let text = store + "\nmqtt: {url: 'mqtt://localhost'}"
        return try SyncConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: "/etc/x/sync.yaml")).store
    }

    private func refusal(_ store: String) -> String? {
        do { _ = try configuration(store) } catch let error as UserError { return error.message } catch {}
        return nil
    }

    @Test("a file or a database, in the long form or the short one")
    func places() throws {
        guard case .file("/etc/x/fleet.db") = try configuration("store: {path: fleet.db}").place,
            case .file("/var/fleet.db") = try configuration("store: /var/fleet.db").place,
            case .database("postgres://fleet@127.0.0.1/fleet", nil) = try configuration("store: postgres://fleet@127.0.0.1/fleet")
                .place,
            case .database("postgres:///fleet", "/etc/x/secret") = try configuration(
                "store: postgres:///fleet\nstorePasswordFile: secret"
            ).place,
            case .database(_, "/etc/x/secret") = try configuration(
                "store: {url: 'postgresql://fleet@db/fleet?sslmode=verify-full&sslrootcert=/ca.pem', passwordFile: secret}"
            ).place
        else {
            Issue.record("a place was misread")
            return
        }
    }

    @Test("what is kept is bounded by age and size, by neither unless told")
    func retention() throws {
        #expect(try configuration("store: {path: a.db}").retention == Retention())
        let kept = try configuration("store: {path: a.db, keepFor: \"365 d\", keepBytes: \"20 GiB\"}").retention
        #expect(kept == Retention(maximumAgeS: 365 * 86_400, maximumBytes: 20 << 30))
        #expect(refusal("store: {path: a.db, keepFor: \"1 h\"}")?.contains("store.keepFor") == true)
    }

    @Test(
        "what cannot be meant is refused in one line that holds no password",
        arguments: [
            ("store: {}", "store.path (a file) or store.url"),
            ("store: {path: a.db, url: 'postgres:///x'}", "either a path or a url"),
            ("store: postgres://u:secret@127.0.0.1/x", "holds a password"),
            ("store: {url: 'mysql://h/x'}", "must be postgres://"),
            ("store: {url: 'postgres://db.example.org/x'}", "sslmode=verify-full"),
            ("store: {path: a.db, passwordFile: p}", "has no password"),
            ("store: a.db\nstorePasswordFile: p", "has no password"),
        ])
    func refusals(store: String, words: String) throws {
        let message = try #require(refusal(store))
        #expect(message.contains(words))
        #expect(!message.contains("secret"))
        #expect(message.hasPrefix("/etc/x/sync.yaml:"))
    }
}
