import Glibc
import Locking
import LosslessJSON
import SessionMirror
import VisibleText

/// The `watch` command: prints the events of sessions in order, and acts on changes, until an end condition is met.
///
/// The thread that delivers a change also prints it where it can, because waking another one takes as long as all the
/// rest. The main thread waits for everything else: deadlines, signals, new files, commands, and a closed output.
struct Watch {
    let request: WatchRequest
    private let deadline: ContinuousClock.Instant?
    private let queue: EventQueue
    private(set) var files: WatchedFiles
    private(set) var actions: ChangeActions
    /// The number of printed changes.
    private(set) var count = 0
    /// When the events of a burst are printed; nil if none wait.
    private var burst: Burst?
    /// Why a thread that delivers changes could not print them.
    private var failure: Failure?

    static func run(_ request: WatchRequest) throws(Failure) -> ExitCode {
        let queue = try EventQueue()
        let watch = Lock(try Watch(request, queue))
        // A thread holds the lock while it prints, even if the reader is slow: lines would get out of order otherwise.
        queue.deliver(to: { watch.withLockIfAvailable { $0.takeAtOnce() } ?? false })
        defer {
            queue.deliver(to: nil)
            watch.withLock { $0.files.cancel() }
        }
        do throws(Failure) {
            try watch.withLock { watch throws(Failure) in try watch.begin() }
            while let next = watch.withLock({ $0.isFinished ? nil : $0.nextWait }) {
                let result = try queue.wait(until: next.end, orInput: next.inputs)
                try watch.withLock { watch throws(Failure) in try watch.proceed(after: result) }
            }
        } catch {
            watch.withLock { $0.actions.stop() }
            if case .interrupted(let signal) = error { SignalPipe.endProgram(by: signal) }
            throw error
        }
        return watch.withLock { watch in
            watch.actions.stop()
            return watch.actions.hasFailed ? .negative : .success
        }
    }

    private init(_ request: WatchRequest, _ queue: EventQueue) throws(Failure) {
        (self.request, self.queue) = (request, queue)
        deadline = request.limit.map { .now + $0.duration }
        files = try WatchedFiles(request, queue)
        actions = ChangeActions(request.action)
    }

    private mutating func begin() throws(Failure) {
        for file in files.all { try announce(file) }
        for line in missingPaths { Output.messages.writeLine("\(Sessionctl.name): \(line)") }
        files.subscribe()
        if request.beginsWithValue {
            for index in files.all.indices where files.all[index].isUsable { actions.fileChanged(index) }
        }
    }

    private func announce(_ file: WatchedFile) throws(Failure) {
        if let header = file.header { try printNotice(header) }
        try printChanges(file.initialLines(request))
    }

    private mutating func openNewFiles() throws(Failure) {
        for file in try files.openNew() { try announce(file) }
    }
}

extension Watch {
    /// The events that follow each other within the time of `--debounce`.
    private struct Burst {
        let begin = ContinuousClock.now
        var end: ContinuousClock.Instant
    }

    /// Events are printed at the latest after this many times of `--debounce`.
    private static let longestBurst = 10

    /// What the main thread waits for.
    private var nextWait: (end: ContinuousClock.Instant?, inputs: [Int32]) {
        let end = [deadline, burst?.end, actions.deadline, files.pollTime].compactMap(\.self).min()
        return (end, actions.inputs + files.descriptors)
    }

    /// Performs what follows from something that has happened.
    private mutating func proceed(after result: EventQueue.WaitResult) throws(Failure) {
        if let failure { throw failure }
        switch result {
        case .events where request.debounce == .zero: try takeEvents()
        case .events: burst = Burst(end: .now + request.debounce)
        case .input:
            try actions.receiveSignals()
            if files.mayHaveMore { try openNewFiles() }
        case .outputClosed: throw .outputClosed
        case .timedOut: try openNewFiles()
        }
        try endBurstIfDue()
        actions.act(on: &files.all, request)
        if let deadline, deadline <= .now, !isFinished { throw .negative(timeoutMessage) }
    }

    private mutating func endBurstIfDue() throws(Failure) {
        guard let burst, burst.end <= .now else { return }
        let end = min(queue.lastAddition + request.debounce, burst.begin + request.debounce * Self.longestBurst)
        if end > .now {
            self.burst?.end = end
        } else {
            self.burst = nil
            try takeEvents()
        }
    }

    /// Takes the events on the thread that has added one, unless they must wait or concern more than output. Returns
    /// whether the main thread has nothing to do.
    private mutating func takeAtOnce() -> Bool {
        if request.debounce != .zero || request.action != nil || failure != nil { return false }
        do throws(Failure) {
            guard let events = queue.takeAll(unless: \.isDirectory) else { return false }
            try take(events)
        } catch {
            failure = error
        }
        return failure == nil && !isFinished
    }

    private mutating func takeEvents() throws(Failure) { try take(queue.takeAll()) }

    private mutating func take(_ events: [EventQueue.Entry]) throws(Failure) {
        for (event, index) in events where !isCountReached {
            switch event {
            case .version(let snapshot, let time): try show(snapshot, at: time, of: index)
            case .report(let report): if let text = files.all[index].lines(for: report) { try printNotice(text) }
            case .directory: try openNewFiles()
            }
            if case .directory = event { continue }
            if files.all[index].needsAction, files.all[index].isUsable { actions.fileChanged(index) }
        }
    }

    private mutating func show(_ snapshot: Snapshot<JSON>, at time: UnixTime, of index: Int) throws(Failure) {
        let (recovery, changes) = files.all[index].lines(for: snapshot, at: time, request)
        let isCounting = request.action == nil
        let wanted = changes.prefix(isCounting ? request.count.map { $0 - count } ?? .max : .max)
        count += wanted.count
        if let recovery { try printNotice(recovery) }
        try printChanges(Array(wanted))
        if !changes.isEmpty { actions.fileChanged(index) }
    }
}
