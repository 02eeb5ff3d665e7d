import EtcdClient
import Glibc
import LosslessJSON

/// Watches of etcd by the same client, without sessions and files: the lower bound for what a fleet can reach.
struct BareWatches {
    private let client: EtcdClient
    private let value: [UInt8]
    private static let key = "/crowd/bare"
    private static let rounds = 3

    init(_ etcd: EtcdOptions, bytes: Int) throws {
        client = try EtcdClient(etcd)
        value = Array(repeating: UInt8(ascii: "v"), count: bytes)
    }

    func measure(_ count: Int) async throws -> JSON {
        let revision = try await client.put(Self.key, value)
        // Each has a connection of its own.
        let (arrivals, continuation) = AsyncStream<ContinuousClock.Instant?>.makeStream()
        let watches = (0..<count).map { _ in
            Task { [client] in
                for try await event in client.watch(Self.key, from: revision + 1) {
                    if case .created = event { continuation.yield(nil) }
                    if case .put = event { continuation.yield(.now) }
                }
            }
        }
        defer { for watch in watches { watch.cancel() } }
        var iterator = arrivals.makeAsyncIterator()
        for _ in 0..<count { _ = await iterator.next() }
        var times: [Double] = []
        let before = try ProcessUsage.now
        for _ in 0..<Self.rounds {
            let start = ContinuousClock.now
            _ = try await client.put(Self.key, value)
            for _ in 0..<count {
                guard let next = await iterator.next(), let arrival = next else { continue }
                times.append((arrival - start) / .milliseconds(1))
            }
        }
        let after = try ProcessUsage.now
        let deliveries = Double(count * Self.rounds)
        let cost = (after.processorTime - before.processorTime) * 1e6 / deliveries
        return .object(JSONObject(Latencies(times).members + [("processorMicroseconds", .decimal(cost))]))
    }
}
