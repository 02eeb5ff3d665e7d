internal import Locking

/// The dispatchers of the sessions that a file is published to: one, or those of all sessions that share it.
final class DispatcherList: Sendable {
    private struct State {
        var all: [ChangeDispatcher]
        var isClosed = false
    }

    private let state: Lock<State>

    init(_ all: [ChangeDispatcher] = []) { state = Lock(State(all: all)) }

    var all: [ChangeDispatcher] { state.withLock { $0.all } }

    /// Whether the last session has left.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether a session has not left yet.
    func contains(_ dispatcher: ChangeDispatcher) -> Bool {
        state.withLock { state in !state.isClosed && state.all.contains { $0 === dispatcher } }
    }

    /// Adds a report about the file for every session: for those that observe reports, or else for the first, which
    /// writes a problem once.
    func add(_ report: MirrorReport) {
        let all = all
        if all.count == 1 { return all[0].addReportOfFile(report) }
        let observed = all.filter { !$0.reportSubscribers.isEmpty }
        for dispatcher in observed.isEmpty ? Array(all.prefix(1)) : observed { dispatcher.addReportOfFile(report) }
    }

    /// Adds the dispatcher of another session; false if the last one has left already.
    func add(_ dispatcher: ChangeDispatcher) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.all.append(dispatcher) }
            return !state.isClosed
        }
    }

    /// Removes the dispatcher of a session that ends, unless it is the last one, which still gets the reports of the
    /// end. Returns whether this was the last one.
    func remove(_ dispatcher: ChangeDispatcher) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.isClosed = state.all.allSatisfy { $0 === dispatcher }
            if !state.isClosed { state.all.removeAll { $0 === dispatcher } }
            return state.isClosed
        }
    }

    /// Removes all dispatchers, which refer to the file.
    func removeAll() {
        // Released outside the lock.
        _ = state.withLock { state in
            defer { (state.all, state.isClosed) = ([], true) }
            return state.all
        }
    }
}
