#if Curses
import Glibc
import LosslessJSON
import SessionMirror
import VisibleText

/// The loop of `watch --view`: waits for versions, keys and signals, and draws.
///
/// Versions wait in the queue until the next frame, where only the newest of each file is left. So a file that changes
/// very often costs no more than its frames, and a key is answered at once.
struct WatchView {
    typealias Instant = ContinuousClock.Instant

    private let request: WatchRequest
    private let deadline: Instant?
    private let queue: EventQueue
    private let files: [WatchedFile]
    private let screen: Screen
    private var state: ViewState
    private var count = 0
    /// The newest version of each file, shown or not.
    private var newest: [Snapshot<JSON>]
    private var hasEvents = false
    /// The earliest time of the next frame with changes.
    private var nextFrame = Instant.now

    /// The shortest time between two frames of changes.
    private static let frameTime = Duration.milliseconds(33)

    init(_ request: WatchRequest) throws(Failure) {
        self.request = request
        deadline = request.limit.map { .now + $0.duration }
        queue = try EventQueue()
        var files: [WatchedFile] = []
        for name in request.files { files.append(try WatchedFile(name, request)) }
        self.files = files
        newest = files.map(\.shown)
        // Before and after ncurses, which installs its handlers for signals that have none.
        Self.installSignals()
        screen = try Screen()
        Self.installSignals()
        state = ViewState(request, files: files.map { ($0.title, $0.shown) }, size: screen.adoptSize())
    }

    private static func installSignals() { SignalPipe.install([SIGWINCH, SIGTSTP, SIGCONT]) }

    /// Runs until a key, a signal or a condition ends it. Restores the terminal before it returns or throws.
    mutating func run() throws(Failure) -> ExitCode {
        defer { screen.end() }
        let subscriptions = files.indices.flatMap { files[$0].subscribe(queue, as: $0) }
        defer { for subscription in subscriptions { subscription.cancel() } }
        var frame = draw()
        while !isFinished {
            let now = Instant.now
            let due = hasEvents ? nextFrame : frame.expiry
            if let deadline, now >= deadline { throw .negative(timeoutMessage) }
            if let due, now >= due {
                showEvents(now)
                frame = draw()
                // At least as long as this took, so that keys have their time.
                nextFrame = now + max(Self.frameTime, (Instant.now - now) * 2)
                continue
            }
            switch try queue.wait(until: [due, deadline].compactMap(\.self).min(), orInput: inputs) {
            case .events: hasEvents = true
            case .outputClosed: throw .outputClosed
            case .timedOut: break
            case .input:
                if try handleInput() { return .success }
                frame = draw()
            }
        }
        return .success
    }

    private var inputs: [Int32] { [STDIN_FILENO, SignalPipe.descriptor] }

    private func draw() -> Frame {
        let frame = state.frame(now: .now)
        screen.draw(frame)
        return frame
    }

    private mutating func showEvents(_ now: Instant) {
        hasEvents = false
        for (event, file) in queue.takeAll() {
            switch event {
            case .version(let snapshot, let time):
                newest[file] = snapshot
                count += state.show(snapshot, of: file, at: time, now: now)
            case .report(let report): state.show(report, of: file)
            }
        }
    }
}

extension WatchView {
    /// Handles signals and keys; true to quit.
    private mutating func handleInput() throws(Failure) -> Bool {
        while let signal = SignalPipe.take() { try handle(signal.number) }
        for key in try screen.takeKeys() {
            switch state.press(key, now: .now) {
            case .none: break
            case .quit: return true
            case .showedChanges(let changes): count += changes
            }
        }
        return false
    }

    private mutating func handle(_ signal: Int32) throws(Failure) {
        switch signal {
        case SIGWINCH: break
        case SIGTSTP: stop()
        // Another program may have used the terminal meanwhile, and changed its modes.
        case SIGCONT: screen.suspend()
        default: throw .interrupted(by: signal)
        }
        state.resize(to: screen.adoptSize())
        screen.forget()
    }

    /// Stops the program as Control-Z stops others, until it is continued.
    private func stop() {
        screen.suspend()
        SignalPipe.restoreDefault(SIGTSTP)
        raise(SIGTSTP)
        Self.installSignals()
    }

    private var isFinished: Bool {
        if let wanted = request.count, count >= wanted { return true }
        guard let awaitedValue = request.awaitedValue else { return false }
        return newest.allSatisfy { awaitedValue.isReached(in: $0.value) }
    }

    /// The message after a timeout. Names the first file that lacks the value.
    private var timeoutMessage: String {
        let time = request.limit?.text ?? ""
        if let awaitedValue = request.awaitedValue,
            let file = files.indices.first(where: { !awaitedValue.isReached(in: newest[$0].value) })
        {
            let reason = awaitedValue.difference(in: newest[file].value, hiding: request.secrets)
            return "\(files[file].title): after \(time): \(reason)"
        }
        let title = files.count == 1 ? files[0].title : "\(files.count) files"
        if let wanted = request.count { return "\(title): after \(time): \(count) of \(wanted) changes" }
        return "\(title): timed out after \(time)"
    }
}
#endif
