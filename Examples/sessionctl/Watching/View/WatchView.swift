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
    private let screen: Screen
    private var files: WatchedFiles
    /// The newest version of each file, shown or not.
    private var newest: [Snapshot<JSON>]
    private var state: ViewState
    /// The number of changes that were shown.
    private var count = 0
    private var hasEvents = false
    /// The earliest time of the next frame with changes.
    private var nextFrame = Instant.now

    /// The shortest time between two frames of changes.
    private static let frameTime = Duration.milliseconds(33)

    init(_ request: WatchRequest) throws(Failure) {
        self.request = request
        deadline = request.limit.map { .now + $0.duration }
        queue = try EventQueue()
        files = try WatchedFiles(request, queue)
        newest = files.all.map(\.shown)
        // Before and after ncurses, which installs its handlers for signals that have none.
        Self.installSignals()
        screen = try Screen()
        Self.installSignals()
        state = ViewState(request, files: files.all.map { ($0.title, $0.shown) }, size: screen.adoptSize())
    }

    private static func installSignals() { SignalPipe.install([SIGWINCH, SIGTSTP, SIGCONT]) }

    /// Runs until a key, a signal or a condition ends it. Restores the terminal before it returns or throws.
    mutating func run() throws(Failure) -> ExitCode {
        defer { screen.end() }
        defer { files.cancel() }
        files.subscribe()
        var frame = draw()
        while !isFinished {
            let now = Instant.now
            let due = hasEvents ? nextFrame : frame.expiry
            if let deadline, now >= deadline {
                let values = zip(files.all, newest).map { ($0.title, $1.value) }
                throw .negative(request.timeoutMessage(values, count: count))
            }
            if let due, now >= due {
                try showEvents(now)
                frame = draw()
                // At least as long as this took, so that keys have their time.
                nextFrame = now + max(Self.frameTime, (Instant.now - now) * 2)
                continue
            }
            let next = [due, deadline, files.pollTime].compactMap(\.self).min()
            switch try queue.wait(until: next, orInput: [STDIN_FILENO, SignalPipe.descriptor] + files.descriptors) {
            case .events: hasEvents = true
            case .outputClosed: throw .outputClosed
            case .timedOut: try openNewFiles()
            case .input:
                if try handleInput() { return .success }
                if files.mayHaveMore { try openNewFiles() }
                frame = draw()
            }
        }
        return .success
    }

    private func draw() -> Frame {
        let frame = state.frame(now: .now)
        screen.draw(frame)
        return frame
    }

    private mutating func showEvents(_ now: Instant) throws(Failure) {
        hasEvents = false
        for (event, file) in queue.takeAll() {
            switch event {
            case .version(let snapshot, let time):
                newest[file] = snapshot
                count += state.show(snapshot, of: file, at: time, now: now)
            case .report(let report): state.show(report, of: file)
            case .directory: try openNewFiles()
            }
        }
    }

    private mutating func openNewFiles() throws(Failure) {
        for file in try files.openNew() {
            newest.append(file.shown)
            state.add(file.title, file.shown)
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
        return request.isValueReached(in: newest.map(\.value))
    }
}
#endif
