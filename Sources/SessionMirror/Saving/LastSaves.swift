internal import Glibc
internal import Locking
internal import LosslessJSON

/// Files that memory has something for which is not saved yet: what is to be done when the program ends.
///
/// At a normal end (`exit`, or the return of `main`) all of them are saved at once, for 2 s together; what could not be
/// saved is named on standard error. A session whose last reference goes before its changes are saved is kept here until
/// they are.
final class LastSaves: Sendable {
    static let shared = LastSaves()

    private struct Entry {
        weak var file: Mirroring?
        /// Set where nobody else keeps it.
        var kept: Mirroring?
    }

    private static let patience = Duration.seconds(2)

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    private init() {
        atexit { LastSaves.shared.save() }
    }

    /// Whether there is something to save may be another; it is asked for in here, so that the last answer counts.
    func note(_ file: Mirroring) {
        let entry = entries.withLock { entries -> Entry? in
            if !file.isPending { return entries.removeValue(forKey: ObjectIdentifier(file)) }
            // Another one may have had its place in memory.
            if entries[ObjectIdentifier(file)]?.file == nil { entries[ObjectIdentifier(file)] = Entry(file: file) }
            return nil
        }
        if entry?.kept != nil { file.close() }
    }

    /// Nobody else keeps it any more.
    func keep(_ file: Mirroring) {
        entries.withLock { $0[ObjectIdentifier(file)] = Entry(file: file, kept: file) }
    }

    /// It is closed.
    func remove(_ file: Mirroring) {
        _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(file)) }
    }

    private func save() {
        // What a child has inherited is its parent's.
        if Forking.madeThisProcess { return }
        let files = entries.withLock { $0.values.compactMap { $0.kept ?? $0.file } }
        if files.isEmpty { return }
        let farewells = files.map(Farewell.init)
        let deadline = Moment.now + Self.patience
        for farewell in farewells { farewell.begin() }
        for farewell in farewells { farewell.end(by: deadline) }
    }
}

/// The last save of one file.
private final class Farewell: Sendable {
    private let file: Mirroring
    private let answer = Lock<(any Error)??>(nil)
    private let isOver = Parking()

    init(_ file: Mirroring) { self.file = file }

    func begin() {
        file.want(
            SaveRequest(change: nil) { error in
                self.answer.withLock { $0 = .some(error) }
                self.isOver.wake()
            }, savingHere: false)
    }

    func end(by deadline: Moment) {
        isOver.sleep(until: deadline)
        switch answer.withLock({ $0 }) {
        case .some(nil): break
        case .some(let error as SessionError) where error.code == .closed: break
        case .some(let error?): complain("\(error)")
        case nil: complain("\(file.path): not saved: it took too long")
        }
    }

    private func complain(_ reason: String) {
        let lost = file.unsavedPaths.prefix(20).joined(separator: ", ")
        let line = reason + (lost.isEmpty ? "" : "\n  lost at the end of the program: \(lost)") + "\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}

extension Mirroring {
    /// The paths of what memory has and the file has not.
    fileprivate var unsavedPaths: [String] {
        let standing = state.withLock { $0.standing }
        guard let tree = try? standing.edition.tree() else { return [] }
        return ValueChange.list(from: standing.common, to: tree).map { $0.path.isRoot ? "everything" : $0.path.dotted }
    }
}
