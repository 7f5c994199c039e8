import FleetRuntime
import Glibc
import Synchronization

/// Bounds how often one address may show a wrong token: a bucket of tries that refills slowly.
///
/// A token of 32 random bytes cannot be guessed anyway; the bound keeps guessing from filling the log and from costing processor time.
final class FailureLimiter: Sendable {
    /// Wrong tokens in a row after which an address has to wait.
    static let burst = 10.0
    /// Seconds until one more try is granted.
    static let refillS = 6.0
    /// Addresses that are remembered; beyond it those that have been quiet the longest are forgotten.
    static let maximumAddresses = 4096

    private struct Bucket {
        var failures: Double
        var atS: Double

        /// Failures that are still held against the address at `nowS`.
        func held(_ nowS: Double) -> Double { max(0, failures - (nowS - atS) / refillS) }
    }

    private let buckets = Mutex<[String: Bucket]>([:])
    private let clock: any FleetClock

    init(clock: any FleetClock) { self.clock = clock }

    /// Seconds until `address` may try again, at least 1; nil when it may now.
    func waitS(_ address: String) -> Int? {
        let now = clock.monotonicS()
        guard let held = buckets.withLock({ $0[Self.key(address)]?.held(now) }), held > Self.burst - 1 else { return nil }
        return max(1, Int(((held - (Self.burst - 1)) * Self.refillS).rounded(.up)))
    }

    /// Holds one more failure against `address`; returns how many are held now.
    func recordFailure(_ address: String) -> Int {
        let now = clock.monotonicS()
        let key = Self.key(address)
        return buckets.withLock { buckets in
            if buckets[key] == nil, buckets.count >= Self.maximumAddresses { Self.forget(&buckets, now) }
            let held = (buckets[key]?.held(now) ?? 0) + 1
            buckets[key] = Bucket(failures: held, atS: now)
            return Int(held.rounded(.up))
        }
    }

    /// Drops those that nothing is held against, else the half that was heard of the longest ago.
    private static func forget(_ buckets: inout [String: Bucket], _ now: Double) {
        buckets = buckets.filter { $0.value.held(now) > 0 }
        guard buckets.count >= maximumAddresses else { return }
        let times = buckets.values.map(\.atS).sorted()
        let median = times[times.count / 2]
        buckets = buckets.filter { $0.value.atS > median }
    }

    /// An IPv6 address counts by its first 64 bits: one household or one rented machine has all that follow.
    private static func key(_ address: String) -> String {
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return address }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        // An IPv4 address in IPv6 form stands for itself.
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        return SHA256.hexadecimal(isMapped ? bytes : Array(bytes.prefix(8)))
    }
}
