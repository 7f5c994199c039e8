import FleetStore

/// `/metrics` in Prometheus' text format (version 0.0.4).
enum MetricsPage {
    static func text(_ totals: StoreTotals, _ ingest: IngestCounters.Values, streams: Int, brokerConnected: Bool) -> String {
        var page = ""
        func add(_ name: String, _ type: String, _ help: String, _ value: Int64) {
            page += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name) \(value)\n"
        }
        add("fleet_broker_connected", "gauge", "Whether the connection to the broker stands.", brokerConnected ? 1 : 0)
        add("fleet_alerts", "gauge", "Alerts in the store, one an id.", totals.alerts)
        add("fleet_alert_revisions", "gauge", "Alert revisions in the store.", totals.revisions)
        add("fleet_alert_bytes", "gauge", "Bytes of alert revisions with their share of the indexes.", totals.alertBytes)
        add("fleet_vehicles", "gauge", "Vehicles that were ever heard of.", totals.vehicles)
        add("fleet_quarantine_rows", "gauge", "Messages in quarantine.", totals.quarantined)
        add("fleet_quarantine_bytes", "gauge", "Bytes in quarantine.", totals.quarantinedBytes)
        add("fleet_ingest_stored_total", "counter", "Alert revisions stored since start.", Int64(ingest.stored))
        add("fleet_ingest_duplicates_total", "counter", "Alert revisions that were there already.", Int64(ingest.duplicates))
        add("fleet_ingest_conflicts_total", "counter", "Revisions whose key was there with other bytes.", Int64(ingest.conflicts))
        add("fleet_ingest_quarantined_total", "counter", "Messages put into quarantine since start.", Int64(ingest.quarantined))
        add("fleet_ingest_heartbeats_total", "counter", "Heartbeats received since start.", Int64(ingest.heartbeats))
        add("fleet_ingest_gaps_total", "counter", "Gap events stored since start.", Int64(ingest.gaps))
        add("fleet_ingest_snapshots_total", "counter", "Snapshots stored since start.", Int64(ingest.snapshots))
        add("fleet_ingest_store_failures_total", "counter", "Batches that the store could not take.", Int64(ingest.storeFailures))
        add("fleet_receipt_messages_total", "counter", "Receipt messages published since start.", Int64(ingest.receiptMessages))
        add("fleet_event_streams", "gauge", "Open event streams.", Int64(streams))
        return page
    }

    static func text(_ webhooks: WebhookCounters.Values) -> String {
        var page = ""
        func add(_ name: String, _ help: String, _ value: Int) {
            page += "# HELP \(name) \(help)\n# TYPE \(name) counter\n\(name) \(value)\n"
        }
        add("fleet_webhook_delivered_total", "Alerts that webhooks took since start.", webhooks.delivered)
        add("fleet_webhook_failed_attempts_total", "Attempts that webhooks did not take.", webhooks.failedAttempts)
        add("fleet_webhook_given_up_total", "Alerts that were given up after a day of attempts.", webhooks.givenUp)
        return page
    }
}
