internal import EtcdClient
internal import LosslessJSON

/// The entry of this machine in the list of machines, which the store removes some time after the machine has
/// disappeared.
///
/// It outlives a connection: a machine that connects again only renews the lease, which costs the store no write. The
/// entry is written again when the revision has changed, at the next renewal, so that the writes of a fleet are spread.
struct Registration: Sendable {
    private let store: FleetStore
    private let lifetime: Int
    private let key: String
    /// nil before the first renewal.
    private var lease: Int?
    /// The revision in the entry; nil if it has to be written.
    private var writtenRevision: Int?

    /// Prepares an entry. Sends nothing.
    init(_ store: FleetStore, _ options: FleetOptions) {
        self.store = store
        lifetime = Int(Self.lifetime(options).components.seconds)
        key = store.keys.machines + String(UInt64.random(in: 0 ... .max), radix: 36)
    }

    /// How long the store keeps an entry that is not renewed.
    static func lifetime(_ options: FleetOptions) -> Duration { max(options.registrationLifetime, .seconds(5)) }

    /// Keeps the entry, or adds it with the revision that the machine has.
    mutating func keep(revision: Int) async throws(EtcdError) {
        if let lease, try await store.client.keepLeaseAlive(lease) {
            if writtenRevision != nil { return }
        } else {
            writtenRevision = nil
            lease = try await store.client.grantLease(lifetime: lifetime)
        }
        try await write(revision)
    }

    /// Keeps the entry, with the revision that the machine has.
    mutating func renew(revision: Int) async throws(EtcdError) {
        try await keep(revision: revision)
        if revision != writtenRevision { try await write(revision) }
    }

    private mutating func write(_ revision: Int) async throws(EtcdError) {
        let entry: JSON = ["machine": JSON(store.machine), "revision": JSON(revision)]
        _ = try await store.client.put(key, JSONPrinter(layout: .compact).bytes(entry), lease: lease)
        writtenRevision = revision
    }

    /// Removes the entry.
    func end() async {
        if let lease { try? await store.client.revokeLease(lease) }
    }
}
