import FleetRuntime
import FleetStore

/// Runs all rules side by side: one whose receiver hangs holds up no other.
struct WebhookService: Sendable {
    let rules: [WebhookRule]
    let store: any AlertStore
    let clock: any FleetClock
    let counters: WebhookCounters
    let feed: LiveFeed

    /// Until it is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for rule in rules {
                let loop = WebhookLoop(rule: rule, store: store, clock: clock, counters: counters)
                let wakes = wakes()
                group.addTask { await loop.run(wakes: wakes) }
            }
        }
    }

    /// An element for every change, and every `WebhookLoop.lookS` seconds.
    private func wakes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let changes = feed.subscribe()
        let listening = Task { for await _ in changes { continuation.yield() } }
        let ticking = Task {
            while (try? await Task.sleep(for: .seconds(WebhookLoop.lookS))) != nil { continuation.yield() }
        }
        continuation.onTermination = { _ in
            listening.cancel()
            ticking.cancel()
        }
        return stream
    }
}
