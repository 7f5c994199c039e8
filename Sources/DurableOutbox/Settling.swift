import FleetModel

/// What receipts change.
extension DurableOutbox {
    /// Takes receipts in: stored and duplicate rows go, rejected ones move to the table of rejected rows. Unknown ones are ignored.
    @discardableResult
    public func settle(_ message: ReceiptMessage) -> (delivered: Int, rejected: Int) {
        let nowS = clock.monotonicS()
        if nowS - answeredAtS >= Self.silenceS { flights.hasten(silentForS: Self.silenceS, at: nowS) }
        answeredAtS = nowS
        return take(message.receipts + message.snapshots.map { Receipt(id: $0, revision: 0, result: .stored) })
    }

    func take(_ receipts: [Receipt]) -> (delivered: Int, rejected: Int) {
        let all = unsettled + receipts
        do {
            let (delivered, rejected) = try attempt { try self.settleAll(all) }
            unsettled = []
            if trouble != nil { endTrouble() }
            for number in delivered + rejected { flights.end(number) }
            isFull =
                isFull
                && (store.bounded.rows >= settings.maximumRows * 9 / 10 || store.bounded.bytes >= settings.maximumBytes / 10 * 9)
            if !delivered.isEmpty || !rejected.isEmpty { bell.yield() }
            return (delivered.count, rejected.count)
        } catch {
            // The rows stay, but are not sent again while this program runs.
            unsettled = all
            for receipt in receipts {
                if let number = try? store.find(receipt.id, revision: receipt.revision)?.number { flights.park(number) }
            }
            begin(trouble: error)
            return (0, 0)
        }
    }

    private func settleAll(_ receipts: [Receipt]) throws -> (delivered: [Int64], rejected: [Int64]) {
        var rejections: [Receipt] = []
        let settled = try store.transaction {
            var (delivered, rejected, seqs): ([Int64], [Int64], [Int64]) = ([], [], [])
            for receipt in receipts {
                switch receipt.result {
                case .stored, .duplicate:
                    if let number = try store.delete(receipt.id, revision: receipt.revision) { delivered.append(number) }
                case .rejected:
                    let reason = receipt.reason ?? "no reason given"
                    let row = try store.reject(receipt.id, revision: receipt.revision, reason: reason, at: clock.wallTime())
                    guard let row else { continue }
                    rejected.append(row.number)
                    rejections.append(receipt)
                    if let seq = row.seq { seqs.append(seq) }
                }
            }
            try tell(GapRanges.ranges(of: seqs), .rejected)
            return (delivered, rejected)
        }
        for receipt in rejections {
            let what =
                receipt.revision == 0 ? "the snapshot of alert \(receipt.id)" : "alert \(receipt.id) revision \(receipt.revision)"
            log.error("\(what) was rejected and is kept here: \(receipt.reason ?? "no reason given")")
        }
        return settled
    }
}
