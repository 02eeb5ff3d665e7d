import Glibc
import Locking

@testable import FileWatching

/// The kernel's inotify, told by a test what to refuse. Each one has a queue of its own, so that such tests disturb
/// nobody.
struct FaultyInotify: Inotify {
    struct Faults {
        /// What starting fails with.
        var start: FileWatchReason?
        /// What watching anything new fails with.
        var add: Int32?
        /// What watching things of these names fails with.
        var addNamed: [FileName: Int32] = [:]
        /// The same, the first time only.
        var addOnce: [FileName: Int32] = [:]
        /// What happens, once, just before something of a name is watched.
        var beforeAdding: (name: FileName, action: @Sendable () -> Void)?
        /// The kernel is said to have dropped events, once.
        var hasOverflow = false
        /// Too many records are said to be stale, until the next start.
        var isCrowded = false
        /// The kernel's list of watches cannot be read.
        var hasNoList = false
        /// So many starts have been asked for.
        var starts = 0
    }

    let faults: Lock<Faults>
    private var kernel = KernelInotify()
    let staleRecords = 0
    let backend = FileWatchBackend.kernelInotify

    var descriptor: Int32 { kernel.descriptor }

    init(_ faults: Lock<Faults>) { self.faults = faults }

    var isCrowded: Bool { faults.withLock { $0.isCrowded } }

    mutating func start() throws(FileWatchReason) {
        let refusal = faults.withLock { faults in
            faults.starts += 1
            faults.isCrowded = false
            return faults.start
        }
        if let refusal { throw refusal }
        try kernel.start()
    }

    mutating func stop() { kernel.stop() }

    func add(_ name: FileName?, in directory: Directory, _ mask: InotifyMask) -> Result<Watch, SystemError> {
        let called = name ?? directory.lastName ?? "/"
        takeAction(called)?()
        let refusal = faults.withLock { $0.addOnce.removeValue(forKey: called) ?? $0.addNamed[called] ?? $0.add }
        if let refusal {
            return .failure(SystemError(number: refusal))
        }
        return kernel.add(name, in: directory, mask)
    }

    private func takeAction(_ name: FileName) -> (@Sendable () -> Void)? {
        faults.withLock { faults in
            guard let (awaited, action) = faults.beforeAdding, awaited == name else { return nil }
            faults.beforeAdding = nil
            return action
        }
    }

    func watches(ofInodesNumbered number: UInt64) -> [Watch] {
        if faults.withLock({ $0.hasNoList }) { return [] }
        return kernel.watches(ofInodesNumbered: number)
    }

    func remove(_ watch: Watch, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        kernel.remove(watch, of: inode, &events)
    }

    func removeAtOnce(_ watch: Watch) { kernel.removeAtOnce(watch) }

    mutating func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool {
        let hasOverflow = faults.withLock { faults in
            defer { faults.hasOverflow = false }
            return faults.hasOverflow
        }
        if hasOverflow { events.append(InotifyEvent(watch: Watch(number: -1), mask: .overflow, name: nil)) }
        return kernel.collect(limit, &events)
    }
}

extension Directory {
    fileprivate var lastName: FileName? { path.split(separator: UInt8(ascii: "/")).last.map { FileName($0) } }
}

/// A hub of its own for a test, with what its inotify is to refuse.
struct FaultyHub {
    let faults = Lock(FaultyInotify.Faults())
    let hub: Hub

    init() { hub = Hub(interval: 20_000_000) { [faults] in InotifyBackend(FaultyInotify(faults)) } }

    func change(_ body: @Sendable (inout FaultyInotify.Faults) -> Void) { faults.withLock { body(&$0) } }

    var starts: Int { faults.withLock { $0.starts } }

    /// What `body` gives for the backend, on its thread.
    func inspect<Answer: Sendable>(_ body: @escaping @Sendable (InotifyBackend<FaultyInotify>) -> Answer) -> Answer {
        hub.ask { body($0.backend as! InotifyBackend<FaultyInotify>) }
    }

    func isWatched(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let inode = Inode(status)
        return inspect { $0.table.node(of: inode) != nil }
    }
}
