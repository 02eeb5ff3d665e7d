internal import EtcdClient
internal import LosslessJSON

/// The entry of this machine in the list of machines, which the store removes some time after the machine has
/// disappeared.
struct Registration: Sendable {
    private let store: FleetStore
    private let options: FleetOptions
    private let lease: Int
    private let key: String
    /// The revision in the entry.
    private var revision = 0

    /// Adds the entry.
    init(_ store: FleetStore, _ options: FleetOptions) async throws(EtcdError) {
        (self.store, self.options) = (store, options)
        let seconds = max(5, Int(options.registrationLifetime.components.seconds))
        lease = try await store.client.grantLease(lifetime: seconds)
        key = store.keys.machines + String(UInt64.random(in: 0 ... .max), radix: 36)
        try await put()
    }

    private func put() async throws(EtcdError) {
        let entry: JSON = ["machine": JSON(options.machine), "revision": JSON(revision)]
        _ = try await store.client.put(key, JSONPrinter(layout: .compact).bytes(entry), lease: lease)
    }

    /// Keeps the entry, with the revision that the machine has.
    mutating func renew(revision: Int) async throws(EtcdError) {
        guard try await store.client.keepLeaseAlive(lease) else {
            throw EtcdError(.unreachable, "the entry of this machine has expired")
        }
        if revision == self.revision { return }
        self.revision = revision
        try await put()
    }

    /// Removes the entry.
    func end() async { try? await store.client.revokeLease(lease) }
}
