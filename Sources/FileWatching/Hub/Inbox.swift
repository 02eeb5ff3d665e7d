internal import CLinux
internal import Glibc
internal import Locking

/// What other threads want done on the hub's, and the descriptor that wakes it.
final class Inbox: Sendable {
    typealias Command = @Sendable (HubLoop) -> Void

    private struct State {
        var commands: [Command] = []
        var descriptor = clinux_wakeup_open()
    }

    private let state = Lock(State())

    deinit { state.withLock { _ = close($0.descriptor) } }

    /// Becomes readable when there is something to take; negative if the process may open nothing more.
    var descriptor: Int32 { state.withLock { $0.descriptor } }

    func send(_ command: @escaping Command) {
        state.withLock { state in
            state.commands.append(command)
            // Whoever finds the first command has been woken for all of them.
            if state.commands.count == 1 { clinux_wakeup_send(state.descriptor) }
        }
    }

    func take() -> [Command] {
        state.withLock { state in
            guard !state.commands.isEmpty else { return [] }
            clinux_wakeup_clear(state.descriptor)
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Gets a descriptor if there is none that works.
    func reopen() -> Bool {
        state.withLock { state in
            state.descriptor = clinux_wakeup_open()
            if !state.commands.isEmpty { clinux_wakeup_send(state.descriptor) }
            return state.descriptor >= 0
        }
    }
}
