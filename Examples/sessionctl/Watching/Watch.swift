import Glibc
import LosslessJSON
import SessionMirror
import VisibleText

/// The `watch` command: prints the events of sessions in order, and acts on changes, until an end condition is met.
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

    init(_ request: WatchRequest) throws(Failure) {
        self.request = request
        deadline = request.limit.map { .now + $0.duration }
        queue = try EventQueue()
        files = try WatchedFiles(request, queue)
        actions = ChangeActions(request.action)
    }

    mutating func run() throws(Failure) -> ExitCode {
        defer { files.cancel() }
        do throws(Failure) {
            try begin()
            while !isFinished { try proceed() }
        } catch {
            actions.stop()
            if case .interrupted(let signal) = error { SignalPipe.endProgram(by: signal) }
            throw error
        }
        actions.stop()
        return actions.hasFailed ? .negative : .success
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

    /// Waits for something to happen, and performs what follows from it.
    private mutating func proceed() throws(Failure) {
        let next = [deadline, burst?.end, actions.deadline, files.pollTime].compactMap(\.self).min()
        switch try queue.wait(until: next, orInput: actions.inputs + files.descriptors) {
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

    private mutating func takeEvents() throws(Failure) {
        for (event, index) in queue.takeAll() where !isCountReached {
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
