internal import CLinux
internal import Glibc
internal import Locking
internal import Synchronization

/// Commands that other threads send to the watching thread, and the eventfd that wakes it.
final class CommandQueue: Sendable {
    typealias Command = @Sendable (WatchLoop) -> Void

    private struct State {
        var commands: [Command] = []
        var descriptor = clinux_wakeup_open()
    }

    private let state = Lock(State())

    deinit { state.withLock { _ = close($0.descriptor) } }

    /// Readable while there are commands; negative if the process cannot open more descriptors.
    var descriptor: Int32 { state.withLock { $0.descriptor } }

    func send(_ command: @escaping Command) {
        state.withLock { state in
            state.commands.append(command)
            // One wakeup is enough for all commands that are taken together.
            if state.commands.count == 1 { clinux_wakeup_send(state.descriptor) }
        }
    }

    func takeAll() -> [Command] {
        state.withLock { state in
            guard !state.commands.isEmpty else { return [] }
            clinux_wakeup_clear(state.descriptor)
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Replaces a missing or closed descriptor, and returns whether there is one now.
    func reopen() -> Bool {
        state.withLock { state in
            state.descriptor = clinux_wakeup_open()
            if !state.commands.isEmpty { clinux_wakeup_send(state.descriptor) }
            return state.descriptor >= 0
        }
    }
}

/// A value that one thread sets once and another thread waits for.
final class Future<Value: Sendable>: Sendable {
    private let value = Lock<Value?>(nil)
    private let isSet = Atomic(false)
    private let semaphore = CountingSemaphore()

    func set(_ result: Value) {
        value.withLock { $0 = result }
        isSet.store(true, ordering: .releasing)
        semaphore.signal()
    }

    func wait() -> Value {
        if !spin() { semaphore.wait() }
        return value.withLock { $0! }
    }

    /// Most values arrive in less time than a thread needs to sleep and wake up.
    private func spin() -> Bool {
        for _ in 0..<50 {
            if isSet.load(ordering: .acquiring) { return true }
            sched_yield()
        }
        return false
    }
}
