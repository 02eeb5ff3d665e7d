import Glibc
import Locking

@testable import FileWatching

/// The kernel's inotify with injected failures. Each instance has its own queue, so such tests do not affect others.
final class FaultyInotify: Inotify {
    struct Faults {
        /// The failure of a start.
        var start: FileWatchReason?
        /// The error number of any new watch.
        var add: Int32?
        /// The error numbers of new watches by name.
        var addNamed: [FileName: Int32] = [:]
        /// The same, for the first attempt only.
        var addOnce: [FileName: Int32] = [:]
        /// An action that runs once, just before a name is watched.
        var beforeAdding: (name: FileName, action: @Sendable () -> Void)?
        /// Whether to report an overflow, once.
        var hasOverflow = false
        /// Whether to report too many stale records, until the next start.
        var hasTooManyStaleRecords = false
        /// Whether the kernel's list of watches is unreadable.
        var hasNoList = false
        /// The number of starts.
        var starts = 0
    }

    let faults: Lock<Faults>
    private let kernel = KernelInotify()
    let staleRecords = 0
    let backend = FileWatchBackend.kernelInotify

    var descriptor: Int32 { kernel.descriptor }

    init(_ faults: Lock<Faults>) { self.faults = faults }

    var hasTooManyStaleRecords: Bool { faults.withLock { $0.hasTooManyStaleRecords } }

    func start() throws(FileWatchReason) {
        let failure = faults.withLock { faults in
            faults.starts += 1
            faults.hasTooManyStaleRecords = false
            return faults.start
        }
        if let failure { throw failure }
        try kernel.start()
    }

    func stop() { kernel.stop() }

    func add(_ name: FileName?, in directory: ResolvedDirectory, _ mask: InotifyMask) -> Result<
        WatchDescriptor, SystemError
    > {
        let called = name ?? directory.lastName ?? "/"
        takeAction(called)?()
        let failure = faults.withLock { $0.addOnce.removeValue(forKey: called) ?? $0.addNamed[called] ?? $0.add }
        if let failure {
            return .failure(SystemError(number: failure))
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

    func watches(ofInodesNumbered number: UInt64) -> [WatchDescriptor] {
        if faults.withLock({ $0.hasNoList }) { return [] }
        return kernel.watches(ofInodesNumbered: number)
    }

    func remove(_ watch: WatchDescriptor, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        kernel.remove(watch, of: inode, &events)
    }

    func removeNow(_ watch: WatchDescriptor) { kernel.removeNow(watch) }

    func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool {
        let hasOverflow = faults.withLock { faults in
            defer { faults.hasOverflow = false }
            return faults.hasOverflow
        }
        if hasOverflow { events.append(InotifyEvent(watch: WatchDescriptor(number: -1), mask: .overflow, name: nil)) }
        return kernel.collect(limit, &events)
    }
}

extension ResolvedDirectory {
    fileprivate var lastName: FileName? { path.split(separator: UInt8(ascii: "/")).last.map { FileName($0) } }
}

/// A service for one test, with an inotify that fails on demand.
struct FaultyService {
    let faults = Lock(FaultyInotify.Faults())
    let service: WatchService

    init() { service = WatchService(interval: 20_000_000) { [faults] in InotifyBackend(FaultyInotify(faults)) } }

    func change(_ body: @Sendable (inout FaultyInotify.Faults) -> Void) { faults.withLock { body(&$0) } }

    var starts: Int { faults.withLock { $0.starts } }

    /// Runs `body` with the backend on its thread.
    func inspect<Result: Sendable>(_ body: @escaping @Sendable (InotifyBackend) -> Result) -> Result {
        service.perform { body($0.backend) }
    }

    func isWatched(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let inode = Inode(status)
        return inspect { $0.table.node(of: inode) != nil }
    }
}
