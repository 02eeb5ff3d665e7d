import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

/// Tests of the real kernel. They share the one hub of the process, so that one runs at a time.
@Suite(.serialized) struct KernelTests {}

/// A watch, and what its handler was told.
final class WatchedFile: Sendable {
    private let log = Lock<[FileWatchSignal]>([])
    let watch: FileWatch

    init(_ path: String, by hub: Hub = .shared) throws {
        watch = try FileWatch(path, by: hub) { [log] signal in log.withLock { $0.append(signal) } }
    }

    var signals: [FileWatchSignal] { log.withLock { $0 } }
    var looks: Int { signals.count { $0 == .lookAgain } }

    /// Does something, and waits until a look is asked for that was not asked for before.
    func expectLook(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ action: () throws -> Void
    ) rethrows {
        let before = looks
        try action()
        eventually("a look after \(what)", sourceLocation: sourceLocation) { looks > before }
    }

    /// Waits until what has happened is dealt with: nothing of it is on its way any more.
    func settle() {
        Hub.shared.ask { _ in }
        Hub.shared.ask { _ in }
    }
}
