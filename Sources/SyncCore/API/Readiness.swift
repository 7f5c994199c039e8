import FleetStore

/// Whether this service does its work, for those who watch it.
struct Readiness: Sendable {
    /// Seconds that the store has for an answer: whoever asks has no more patience than a few.
    static let answerWithinS = 2.5

    let store: any AlertStore
    let counters: IngestCounters
    let isBrokerConnected: @Sendable () -> Bool

    /// What it cannot do, in words; nil when nothing is wrong.
    func problem() async -> String? {
        if counters.current.isStoreFailing { return "the store does not take alerts" }
        guard await isStoreAnswering() else { return "the store does not answer" }
        return isBrokerConnected() ? nil : "no connection to the broker"
    }

    /// An answer that does not come in time is left to come when it will: a call that blocks cannot be taken back.
    private func isStoreAnswering() async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        Task { answer.yield((try? await store.latestCursor()) != nil) }
        let timeout = Task {
            try await Task.sleep(for: .seconds(Self.answerWithinS))
            answer.yield(false)
        }
        defer { timeout.cancel() }
        for await isAnswered in answers { return isAnswered }
        return false
    }
}
