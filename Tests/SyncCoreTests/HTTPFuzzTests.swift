import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

/// A server with every route, asked by somebody who means no good.
@Suite("Fuzzed HTTP requests", .serialized)
struct HTTPFuzzTests {
    private static let token = "5ca1ab1e"

    /// Sends `count` requests of `seed`; returns the first few whose answer was none of those allowed, and counts by status.
    private func fuzz(seed: UInt64, count: Int, _ port: Int) async -> (surprises: [String], statuses: [Int: Int], growthKiB: Int) {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var requests = RequestGenerator(seed: seed, token: Self.token)
                var surprises: [String] = []
                var statuses: [Int: Int] = [:]
                var warmKiB = 0
                for number in 0..<count {
                    let request = requests.next()
                    let status = OneShot.ask(port, request.bytes, halfClose: request.isBroken)
                    statuses[status, default: 0] += 1
                    if !request.allowed.contains(status), surprises.count < 5 {
                        surprises.append(
                            "request \(number) of seed \(seed) got \(status), not \(request.allowed): "
                                + String(decoding: request.bytes.prefix(300), as: UTF8.self))
                    }
                    if number == count / 4 { warmKiB = ProcessSize.residentKiB() }
                }
                continuation.resume(returning: (surprises, statuses, ProcessSize.residentKiB() - warmKiB))
            }
        }
    }

    private func run(seed: UInt64, count: Int) async throws {
        // Every request comes from another address, so that wrong tokens do not shut the door for the others.
        let fixture = try APIFixture(
            token: Self.token, http: "http: {behindProxy: true, trustedProxies: [127.0.0.1]}")
        try await fixture.fill(SampleAlerts.alert(1), SampleAlerts.alert(1, revision: 2, phase: .end), SampleAlerts.alert(2))
        let server = HTTPServer(settings: HTTPServer.Settings()) { [api = fixture.api] in await api.respond(to: $0) }
        let port = try server.start()
        let descriptors = ProcessSize.openDescriptors()
        let begun = MonotonicTime.now()
        let (surprises, statuses, growthKiB) = await fuzz(seed: seed, count: count, port)
        let tookS = MonotonicTime.now() - begun
        #expect(surprises.isEmpty, "\(surprises.joined(separator: "\n"))")
        #expect(growthKiB < 16 * 1024, "grew by \(growthKiB) KiB")
        #expect(await eventually { ProcessSize.openDescriptors() <= descriptors + 2 })
        // Every kind of answer occurred, or the generator says less than it seems to.
        for status in [200, 204, 400, 401, 404, 405, 413, 421] {
            #expect((statuses[status] ?? 0) > count / 500, "\(status): \(statuses[status] ?? 0)")
        }
        #expect(
            OneShot.ask(port, Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8), halfClose: false)
                == 200)
        await server.stop()
        let table = statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        print("HTTP fuzz, seed \(seed): \(count) requests in \(Int(tookS)) s, grew by \(growthKiB) KiB; \(table)")
    }

    @Test("2,000 of them: no crash, no growth, the right status codes")
    func short() async throws { try await run(seed: 1, count: 2000) }

    @Test(
        "20,000 of them: no crash, no growth, the right status codes",
        .enabled(if: ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] != nil, "long; make test-long"))
    func long() async throws { try await run(seed: 2, count: 20_000) }
}

/// Size of this process.
private enum ProcessSize {
    static func residentKiB() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    static func openDescriptors() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0 }
}

/// One connection for one request, on the calling thread.
private enum OneShot {
    /// Sends `bytes`, with `halfClose` says that no more will come, and returns the status of the first answer; 0 when there was none.
    static func ask(_ port: Int, _ bytes: [UInt8], halfClose: Bool) -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        // What is broken may get no answer at all, and is not waited for.
        var limit = halfClose ? timeval(tv_sec: 0, tv_usec: 20_000) : timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard FreePort.connect(descriptor, to: port) else { return -1 }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        if halfClose { shutdown(descriptor, Int32(SHUT_WR)) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if answer.count < 64 { answer += buffer[0..<count] }
        }
        let words = String(decoding: answer.prefix(64), as: UTF8.self).split(separator: " ")
        return words.first?.hasPrefix("HTTP/1.") == true && words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
