internal import CCurl
internal import Glibc
internal import Locking

/// The thread that makes all requests of the process, by libcurl's multi interface.
///
/// It starts with the first request and never ends. It sleeps while nothing happens: no timer runs for idle streams. Each
/// wakeup costs some time for each open transfer. A child that was forked from the process has no such thread; its
/// requests fail.
final class NetworkThread: Sendable {
    static let shared = NetworkThread()

    private enum Command {
        case start(Transfer)
        case cancel(Transfer)
    }

    private struct State {
        var commands: [Command] = []
        /// The process in which the thread runs, and its multi handle; nil before the first request.
        var running: (process: pid_t, multi: Multi)?
        var wakeupCount = 0
    }

    /// A multi handle of libcurl.
    ///
    /// Safe to share: other threads only pass it to `curl_multi_wakeup`, which allows that, and it is never released.
    private struct Multi: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer
    }

    private let state = Lock(State())

    /// How often the thread has woken up.
    var wakeupCount: Int { state.withLock { $0.wakeupCount } }

    /// Starts a transfer. Its receiver is told how it ends, even if it cannot start.
    func start(_ transfer: Transfer) {
        if let problem = submit(.start(transfer)) {
            transfer.receiver.finish(.failed(wasSent: false, message: problem))
        }
    }

    /// Ends a transfer and closes its connection, unless it has ended.
    func cancel(_ transfer: Transfer) { _ = submit(.cancel(transfer)) }

    /// Hands a command over. Returns what prevents it.
    private func submit(_ command: Command) -> String? {
        let (problem, multi) = state.withLock { state -> (String?, Multi?) in
            if state.running == nil, let problem = launch(&state) { return (problem, nil) }
            guard let running = state.running, running.process == getpid() else {
                return ("this process was forked from one with connections to etcd; start a program in it instead", nil)
            }
            state.commands.append(command)
            return (nil, state.commands.count == 1 ? running.multi : nil)
        }
        if let multi { curl_multi_wakeup(multi.handle) }
        return problem
    }

    private func launch(_ state: inout State) -> String? {
        guard curl_initialize() == CURLE_OK, let handle = curl_multi_init() else { return "libcurl cannot start" }
        let multi = Multi(handle: handle)
        let error = SignalBlockingThread.start(named: "etcd-network") { [self] in
            var loop = NetworkLoop(multi: multi.handle)
            while true { turn(&loop) }
        }
        guard error == 0 else {
            curl_multi_cleanup(handle)
            return "no thread for the network: \(String(cString: strerror(error)))"
        }
        state.running = (getpid(), multi)
        return nil
    }

    private func turn(_ loop: inout NetworkLoop) {
        let commands = state.withLock { state in
            state.wakeupCount += 1
            return exchange(&state.commands, with: [])
        }
        for command in commands {
            switch command {
            case .start(let transfer): loop.start(transfer)
            case .cancel(let transfer): loop.cancel(transfer)
            }
        }
        loop.perform()
        loop.wait()
    }

    private func exchange(_ commands: inout [Command], with new: [Command]) -> [Command] {
        let old = commands
        commands = new
        return old
    }
}

/// What the network thread does with its transfers.
private struct NetworkLoop {
    let multi: UnsafeMutableRawPointer
    /// Streams without an answer yet. Libcurl has only limits for whole transfers.
    private var unanswered: [Transfer] = []

    init(multi: UnsafeMutableRawPointer) { self.multi = multi }

    mutating func start(_ transfer: Transfer) {
        guard !transfer.isCancelled else { return transfer.receiver.finish(.cancelled) }
        guard let handle = transfer.prepare() else {
            return transfer.receiver.finish(.failed(wasSent: false, message: "no memory for a request"))
        }
        let result = curl_multi_add_handle(multi, handle)
        guard result == CURLM_OK else {
            let message = String(cString: curl_multi_strerror(result))
            return finish(transfer, .failed(wasSent: false, message: message))
        }
        if transfer.deadline != nil { unanswered.append(transfer) }
    }

    mutating func cancel(_ transfer: Transfer) {
        transfer.isCancelled = true
        if transfer.handle != nil { remove(transfer, .cancelled) }
    }

    mutating func perform() {
        var runningCount: Int32 = 0
        curl_multi_perform(multi, &runningCount)
        var restCount: Int32 = 0
        while let message = curl_multi_info_read(multi, &restCount) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            let result = curl_message_result(message)
            // `Transfer.prepare` has stored and retained it.
            let transfer = Unmanaged<Transfer>.fromOpaque(curl_get_context(handle)).takeUnretainedValue()
            remove(transfer, transfer.end(result))
        }
        checkDeadlines()
    }

    private mutating func checkDeadlines() {
        guard !unanswered.isEmpty else { return }
        unanswered.removeAll { $0.deadline == nil || $0.handle == nil }
        let now = Instant.now
        for transfer in unanswered where transfer.deadline! <= now { remove(transfer, transfer.endAtDeadline) }
    }

    private func remove(_ transfer: Transfer, _ end: TransferEnd) {
        curl_multi_remove_handle(multi, transfer.handle)
        finish(transfer, end)
    }

    private func finish(_ transfer: Transfer, _ end: TransferEnd) {
        transfer.release()
        transfer.receiver.finish(end)
    }

    /// Waits for the network, a timer of libcurl, a deadline or a command.
    func wait() {
        var timeout = Int32.max
        if let deadline = unanswered.compactMap(\.deadline).min() {
            let rest = (deadline - .now) / .milliseconds(1)
            timeout = Int32(min(max(rest.rounded(.up), 0), 1_000_000))
        }
        curl_multi_poll(multi, nil, 0, timeout, nil)
    }
}
