import Synchronization

/// Limits the requests of tenants, each with a bucket of tokens that refills continuously.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filled: ContinuousClock.Instant
    }

    private let buckets = Mutex<[String: Bucket]>([:])

    /// Takes a token of a tenant, under the current limit. Returns nil, or the time until the next token.
    func take(_ tenant: String, _ limit: Settings.RateLimit, now: ContinuousClock.Instant = .now) -> Duration? {
        buckets.withLock { buckets in
            let (most, rate) = (Double(limit.burst), limit.requestsPerSecond)
            var bucket = buckets[tenant] ?? Bucket(tokens: most, filled: now)
            let passed = (now - bucket.filled) / .seconds(1)
            bucket.tokens = min(most, bucket.tokens + passed * rate)
            bucket.filled = now
            let isAllowed = bucket.tokens >= 1
            if isAllowed { bucket.tokens -= 1 }
            buckets[tenant] = bucket
            return isAllowed ? nil : .seconds((1 - bucket.tokens) / rate)
        }
    }

    /// Removes tenants that the settings no longer have.
    func keepOnly(_ tenants: some Collection<String>) {
        let names = Set(tenants)
        buckets.withLock { buckets in buckets = buckets.filter { names.contains($0.key) } }
    }
}
