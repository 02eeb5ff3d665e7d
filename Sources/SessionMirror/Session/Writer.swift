internal import Locking
internal import LosslessJSON

/// Creates the snapshots of a session's own changes, one at a time.
final class Writer<Root: Codable & Sendable>: Sendable {
    typealias Check = @Sendable (Root) throws -> Void

    /// Where new snapshots are published.
    enum Destination: Sendable {
        case file(FileSynchronizer)
        case memory
    }

    let coder: RootCoder
    private let check: Check?
    let updateLock: FairLock
    let snapshotCell: SessionCell<Root>
    private let dispatcher: ChangeDispatcher
    let destination: Destination
    let lifecycle = Lock(SessionLifecycle())

    init(
        _ snapshotCell: SessionCell<Root>, _ dispatcher: ChangeDispatcher,
        to destination: Destination = .memory, coder: RootCoder = .standard, check: Check? = nil
    ) {
        (self.snapshotCell, self.dispatcher, self.destination) = (snapshotCell, dispatcher, destination)
        (self.coder, self.check) = (coder, check)
        updateLock = if case .file(let synchronizer) = destination { synchronizer.updateLock } else { FairLock() }
    }

    /// Applies a change to the value and publishes the result.
    func update<Result>(_ change: (inout Root) throws -> Result) throws -> Result {
        try publishNext { snapshot, version, next in try changed(snapshot, version, into: &next, change) }
    }

    /// Applies a change of another program to a value in memory. What a file would report is reported.
    func simulateEdit(_ change: (inout Root) -> Void, _ status: MemoryStatus) {
        do {
            try publishNext { snapshot, version, next in
                try changed(snapshot, version, origin: .external, into: &next, change)
            }
            status.recoverContent()
        } catch {
            status.add(SessionProblem(rejection: error, in: MemoryStatus.fileName, of: nil))
        }
    }

    /// Changes the tree of the file and publishes the result; returns its version.
    @discardableResult
    func edit(_ change: (JSON) throws -> JSON) throws -> Version {
        try publishNext { snapshot, version, next in
            let tree = try change(try snapshot.tree())
            do {
                let root = try tree as? Root ?? coder.decode(Root.self, from: tree)
                try check?(root)
                next = SnapshotStorage(root, version: version, origin: .update, source: .tree(tree))
            } catch {
                next = try snapshotCell.edited(snapshot, to: tree, version, because: error)
            }
            return version
        }
    }

    /// Publishes the next snapshot under `updateLock`, and performs the effects after that.
    ///
    /// - Parameter create: Creates the snapshot. It is not returned beside the result, because the type of a pair with a
    ///   generic member is looked up at run time.
    private func publishNext<Result>(
        _ create: (SnapshotStorage<Root>, Version, inout AnySnapshotStorage) throws -> Result
    ) throws -> Result {
        if ForkHandling.isForkedChild { throw SessionError.forked }
        return try ThreadPool.blocking {
            var followUp: FollowUp?
            let result = try updateLock.withLock {
                try requireOpen()
                let before = updateBase
                var next: AnySnapshotStorage = before
                let result = try create(before, before.version.next, &next)
                followUp = publish(next)
                return result
            }
            if let followUp { perform(followUp) }
            return result
        }
    }

    private var updateBase: SnapshotStorage<Root> {
        switch destination {
        case .file(let synchronizer): snapshotCell.updateBase(of: synchronizer.updateBase)
        case .memory: snapshotCell.current
        }
    }

    private func perform(_ followUp: FollowUp) {
        switch followUp {
        case .file(let synchronizer, let effects): synchronizer.perform(effects, isUpdate: true)
        case .memory(let replaced):
            dispatcher.post()
            replaced.retire()
        }
    }

    private func publish(_ snapshot: AnySnapshotStorage) -> FollowUp {
        switch destination {
        case .file(let synchronizer): return .file(synchronizer, synchronizer.updated(to: snapshot))
        case .memory:
            var replaced = ReplacedObjects()
            dispatcher.publish(snapshot, &replaced)
            return .memory(replaced)
        }
    }

    /// Applies a change to a snapshot, and checks the result.
    func changed<Result>(
        _ snapshot: SnapshotStorage<Root>, _ version: Version, origin: Origin = .update,
        into next: inout AnySnapshotStorage, _ change: (inout Root) throws -> Result
    ) throws -> Result {
        var root = snapshot.changeable
        let result = try change(&root)
        try check?(root)
        let hasFile = if case .file = destination { true } else { false }
        next = try snapshotCell.updated(
            to: snapshot.next(root, version: version, origin: origin, coder, hasFile: hasFile))
        return result
    }

    func requireOpen() throws(SessionError) {
        if !lifecycle.withLock({ $0.isOpen }) { throw .closed }
    }

    /// Rejects all later changes.
    func close() { lifecycle.withLock { $0.finishClosing() } }

    /// Traps where the call would wait for the calling thread itself.
    func preconditionNotNested(_ name: String) {
        precondition(!ReadSection.isActive, "\(name) must not be called inside read of a session")
        precondition(
            !updateLock.isHeldByCurrentThread, "\(name) must not be called inside a change of the same session")
    }
}

/// What remains to be done after publishing.
private enum FollowUp {
    case file(FileSynchronizer, FileSynchronizer.PendingEffects)
    case memory(ReplacedObjects)
}

/// Whether a session accepts changes. Several threads may close it concurrently, and closing may fail.
struct SessionLifecycle {
    /// The number of threads that are closing the session.
    private var closers = 0
    private(set) var isClosed = false

    var isOpen: Bool { closers == 0 && !isClosed }

    mutating func beginClosing() { closers += 1 }

    /// Opens the session again, unless another thread is closing it or has closed it.
    mutating func cancelClosing() { closers -= 1 }

    mutating func finishClosing() { isClosed = true }
}
