import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

/// Tests of the real kernel with the one hub of the process. They run one at a time.
@Suite(.serialized) struct KernelTests {}

/// A watch, and what its handler was told.
final class WatchedFile: Sendable {
    private let log = Lock<[FileWatchSignal]>([])
    private let hub: Hub
    let watch: FileWatch

    init(_ path: String, method: FileWatchMethod = .automatic, by hub: Hub = .shared) throws {
        self.hub = hub
        watch = try FileWatch(path, method: method, by: hub) { [log] signal in log.withLock { $0.append(signal) } }
    }

    // Read under the lock: the thread sanitizer does not see how a copy of an array is given back.
    var signals: [FileWatchSignal] { log.withLock { $0.map { $0 } } }
    var looks: Int { log.withLock { $0.count { $0 == .lookAgain } } }
    var isLive: Bool { watch.status == .live }
    /// Why it is polled; nil while it is live.
    var reason: FileWatchReason.Code? {
        if case .polling(let reason) = watch.status { reason.code } else { nil }
    }

    /// Does something, waits until a look is asked for, and until the hub has dealt with all of it.
    func expectLook(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ action: () throws -> Void
    ) rethrows {
        let before = looks
        try action()
        eventually("a look after \(what)", sourceLocation: sourceLocation) { looks > before }
        settle()
    }

    /// Does something, and makes sure that nobody is told.
    func expectSilence(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ action: () throws -> Void
    ) rethrows {
        settle()
        let before = looks
        try action()
        settle()
        #expect(looks == before, "a look after \(what)", sourceLocation: sourceLocation)
    }

    /// Returns when what has happened up to now is dealt with: events are queued before the call that causes them
    /// returns, and the hub empties the queue before it does what it is asked to do.
    func settle() {
        for _ in 0..<3 { hub.ask { _ in } }
        eventually("nothing is left to do", within: .seconds(5)) { hub.ask { !$0.hasAftercare } }
    }
}
