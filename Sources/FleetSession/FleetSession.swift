internal import EtcdClient
internal import Locking
public import SessionMirror

/// A session whose value the machines of a fleet share, through a key of etcd.
///
/// ```swift
/// let session = try Session(Settings(), at: "/etc/shop/settings.json")
/// let fleet = try FleetSession(
///     session, key: "/shop/settings", etcd: EtcdOptions(endpoints: ["http://10.0.0.1:2379", "http://10.0.0.2:2379"]))
/// try await fleet.commit { $0.nextOrder += 1 }     // one step among all machines
/// ```
///
/// The file stays what people edit, on every machine. A change of the file, by hand or by a program, reaches the files
/// of all other machines; comments and formatting of each file stay. Without a connection the session serves and saves
/// the file; when the connection is back, the changes of both sides are merged three ways, as a session merges memory and
/// file. Conflicts are decided by `SessionOptions.conflicts`, where the other machines have the role of the file, and
/// reported as problems of the session on the machine that merges.
///
/// `status` of `Session.mirror` has the state of the synchronization in `MirrorStatus.fleet`.
public final class FleetSession<Root: Codable & Sendable>: Sendable {
    /// The session of the file on this machine.
    public let session: Session<Root>
    let synchronizer: FleetSynchronizer

    /// Begins to synchronize the file of a session with a key of etcd, and returns at once.
    ///
    /// Several processes of a machine may do so for the same file: one of them exchanges its changes, and if it ends,
    /// another takes over.
    ///
    /// - Parameters:
    ///   - session: A session of a file that can be written.
    ///   - key: The name of the key that has the value. Two more names begin with it: `KEY.commit` and `KEY.machines/`.
    ///   - etcd: How to reach the store.
    ///   - options: How this machine takes part.
    /// - Throws: An ``EtcdError`` if `etcd` or `key` cannot be used, a `SessionError` if the session has no file that
    ///   it can write, a `FileError` if the state of the synchronization cannot be stored.
    public init(
        _ session: Session<Root>, key: String, etcd: EtcdOptions, options: FleetOptions = FleetOptions()
    ) throws {
        self.session = session
        if key.isEmpty || key.utf8.contains(0) {
            throw EtcdError(.invalidOptions, "the name of the key must not be empty, nor contain NUL")
        }
        if options.localPaths.contains(where: \.isRoot) {
            throw EtcdError(.invalidOptions, "the whole value cannot be local to this machine")
        }
        let store = FleetStore(
            client: try EtcdClient(etcd), keys: FleetKeys(text: key), machine: options.machine)
        synchronizer = try FleetSynchronizer(session, store, options)
        synchronizer.start()
    }

    deinit { synchronizer.close() }

    /// The state of the synchronization.
    public var status: FleetStatus { synchronizer.status }

    /// Counters since the synchronization began.
    public var metrics: FleetMetrics { synchronizer.state.withLock { $0.metrics } }

    /// Ends the synchronization, and waits for the current step. The session stays open. Changes that were not sent are
    /// sent when the file is synchronized again.
    public func close() async {
        synchronizer.close()
        await synchronizer.finish()
        await synchronizer.releaseKey()
    }
}
