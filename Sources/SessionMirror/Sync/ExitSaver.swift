internal import Glibc
internal import Locking
internal import LosslessJSON
internal import VisibleText

/// Saves the pending changes of all sessions when the process exits, and writes problems that had no observer.
///
/// At a normal exit (`exit`, or the return of `main`) all files are saved concurrently, within 2 s in total; values
/// that could not be saved are listed on standard error. A session that is released before its changes are saved is
/// kept alive here until they are.
final class ExitSaver: Sendable {
    static let shared = ExitSaver()

    private struct Entry {
        weak var file: FileSynchronizer?
        /// Set if the session was released.
        var retained: FileSynchronizer?
    }

    private static let timeLimit = Duration.seconds(2)

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])
    private let unobservedProblems = Lock<[WeakProblems]>([])

    private struct WeakProblems {
        weak var problems: UnobservedProblemWriter?
    }

    private init() {
        atexit { ExitSaver.shared.finish() }
    }

    /// Tracks the file while it has pending changes. Checks for them while holding the lock, so that concurrent calls
    /// agree.
    func track(_ file: FileSynchronizer) {
        let entry = entries.withLock { entries -> Entry? in
            if !file.hasPendingChanges { return entries.removeValue(forKey: ObjectIdentifier(file)) }
            // The entry may belong to a deallocated object with the same address.
            if entries[ObjectIdentifier(file)]?.file == nil { entries[ObjectIdentifier(file)] = Entry(file: file) }
            return nil
        }
        if entry?.retained != nil { file.close() }
    }

    /// Keeps the file of a released session alive.
    func retain(_ file: FileSynchronizer) {
        entries.withLock { $0[ObjectIdentifier(file)] = Entry(file: file, retained: file) }
    }

    /// Stops tracking a closed file.
    func remove(_ file: FileSynchronizer) {
        _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(file)) }
    }

    /// Writes the problems at exit, if they still wait then.
    func track(_ problems: UnobservedProblemWriter) {
        unobservedProblems.withLock { all in
            all.removeAll { $0.problems == nil }
            all.append(WeakProblems(problems: problems))
        }
    }

    private func finish() {
        // The pending changes belong to the parent.
        if ForkHandling.isForkedChild { return }
        save()
        for problems in unobservedProblems.withLock({ $0.compactMap(\.problems) }) { problems.flush() }
    }

    private func save() {
        let files = entries.withLock { $0.values.compactMap { $0.retained ?? $0.file } }
        if files.isEmpty { return }
        let saves = files.map(ExitSave.init)
        let deadline = Instant.now + Self.timeLimit
        for save in saves { save.start() }
        for save in saves { save.finish(by: deadline) }
    }
}

/// The save of one file at exit.
private final class ExitSave: Sendable {
    private let file: FileSynchronizer
    private let result = Lock<(any Error)??>(nil)
    private let isFinished = CountingSemaphore()

    init(_ file: FileSynchronizer) { self.file = file }

    func start() {
        file.submit(
            SaveRequest(change: nil) { error in
                self.result.withLock { $0 = .some(error) }
                self.isFinished.signal()
            }, savingHere: false)
    }

    func finish(by deadline: Instant) {
        file.pool.sleep(on: isFinished, until: deadline)
        switch result.withLock({ $0 }) {
        case .some(nil): break
        case .some(let error as SessionError) where error.code == .closed: break
        case .some(let problem as SessionProblem):
            file.discardUnobserved(problem)
            reportFailure(problem.fullDescription)
        case .some(let error?): reportFailure("\(error)".visibleLines)
        case nil: reportFailure("\(file.path.visible): not saved: timed out")
        }
    }

    private func reportFailure(_ reason: String) {
        let lost = file.unsavedPaths.prefix(20).joined(separator: ", ")
        let line = reason + (lost.isEmpty ? "" : "\n  lost at exit: \(lost)") + "\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}

extension FileSynchronizer {
    /// The paths of the pending changes. Runs user code.
    var unsavedPaths: [String] {
        let syncBase = state.withLock { $0.syncBase }
        guard let tree = try? syncBase.snapshot.tree() else { return [] }
        return ValueChange.list(from: syncBase.baseTree, to: tree).map {
            $0.path.isRoot ? "everything" : $0.path.inMessage
        }
    }
}
