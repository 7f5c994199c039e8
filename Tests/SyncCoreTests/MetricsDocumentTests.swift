import FleetTestSupport
import Foundation
import Testing

@testable import SyncCore

@Suite("The page about the metrics")
struct MetricsDocumentTests {
    @Test("says of every metric what it means, and of none that is not there")
    func complete() async throws {
        guard case .data(let data) = try await APIFixture().get("/metrics").body else { return }
        let served = Set(
            String(decoding: data, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
                .compactMap { $0.split(separator: " ").dropFirst(2).first.map(String.init) })
        #expect(served.count > 15)
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/metrics.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `fleet_") }
        let told = Set(
            rows.flatMap { $0.split(separator: "|")[0].split(separator: "`").map(String.init) }.filter { $0.hasPrefix("fleet_") })
        #expect(served.subtracting(told).isEmpty, "not told of: \(served.subtracting(told).sorted())")
        // The certificate's end is served over TLS only.
        #expect(told.subtracting(served).subtracting(["fleet_http_certificate_end_seconds"]).isEmpty)
    }
}
