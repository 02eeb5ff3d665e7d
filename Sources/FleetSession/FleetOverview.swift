internal import EtcdClient
internal import LosslessJSON

/// The machines that share a value, as the store knows them.
///
/// ```swift
/// let overview = try await FleetOverview(of: "/shop/settings", etcd: EtcdOptions(endpoints: ["http://10.0.0.1:2379"]))
/// for machine in overview.machines where machine.revision < overview.revision { print(machine.name, "is behind") }
/// ```
public struct FleetOverview: Sendable, Hashable {
    /// A machine whose synchronization runs, or has ended without saying so less than
    /// ``FleetOptions/registrationLifetime`` ago.
    public struct Machine: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// The revision that it had when it last renewed its entry.
        public let revision: Int
    }

    /// The revision that changed the value last; 0 if there is no value.
    public let revision: Int
    /// The machine that changed the value last; nil if another program did, or nobody.
    public let author: String?
    /// The size of the text in bytes.
    public let size: Int
    /// The machines, by name.
    public let machines: [Machine]

    /// Asks the store.
    ///
    /// - Throws: An ``EtcdError``.
    public init(of key: String, etcd: EtcdOptions) async throws(EtcdError) {
        let client = try EtcdClient(etcd)
        let keys = FleetKeys(text: key)
        let stored = try await client.get(key).keyValue
        let commit = try await client.get(keys.commit).keyValue
        let entries = try await client.list(prefix: keys.machines).keyValues
        (revision, size) = (stored?.modRevision ?? 0, stored?.value.count ?? 0)
        author = commit.flatMap { $0.modRevision == stored?.modRevision ? CommitRecord($0.value)?.machine : nil }
        machines = entries.compactMap { Machine($0.value) }.sorted { $0.name < $1.name }
    }
}

extension FleetOverview.Machine {
    fileprivate init?(_ entry: [UInt8]) {
        guard let value = try? JSONDocument(parsing: entry).value, let name = value["machine"]?.string,
            let revision = value["revision"]?.int
        else { return nil }
        (self.name, self.revision) = (name, revision)
    }
}
