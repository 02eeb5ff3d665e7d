import Glibc
import LosslessJSON
import SessionMirror
import VisibleText

/// The `watch` command: prints the events of sessions in order, and acts on changes, until an end condition is met.
struct Watch {
    let request: WatchRequest
    private let deadline: ContinuousClock.Instant?
    private let queue: EventQueue
    var files: [WatchedFile] = []
    private var directories: [WatchedDirectory] = []
    private var names: Set<String> = []
    var actions: ChangeActions
    /// The number of printed changes.
    var count = 0
    /// When the events of a burst are printed; nil if none wait.
    private var burst: Burst?

    init(_ request: WatchRequest) throws(Failure) {
        self.request = request
        deadline = request.limit.map { .now + $0.duration }
        queue = try EventQueue()
        actions = ChangeActions(request.action)
    }

    mutating func run() throws(Failure) -> ExitCode {
        defer { for file in files { file.cancel() } }
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
        for name in request.files { try open(name) }
        for (index, name) in request.directories.enumerated() {
            directories.append(
                try WatchedDirectory(name, isPolled: request.isPolled) { [queue] in queue.add(.directory, of: index) })
        }
        try openFiles(areNew: false)
        for line in missingPaths { Output.messages.writeLine("\(Sessionctl.name): \(line)") }
        for index in files.indices { files[index].subscribe(queue, as: index) }
        if request.beginsWithValue {
            for index in files.indices where files[index].isUsable { actions.fileChanged(index) }
        }
    }

    private mutating func open(_ name: String, isNew: Bool = false) throws(Failure) {
        names.insert(name)
        let file = try WatchedFile(name, request, isNew: isNew)
        if let header = file.header { try printNotice(header) }
        try printChanges(file.initialLines(request))
        files.append(file)
    }

    /// Opens the files of the directories that are not open yet. A directory must be readable at the beginning only.
    private mutating func openFiles(areNew: Bool = true) throws(Failure) {
        for directory in directories {
            guard let found = directory.files() else {
                if areNew { continue }
                throw .systemError(directory.name.visible, errorNumber: errno)
            }
            for name in found where !names.contains(name) {
                try open(name, isNew: areNew)
                if areNew { files[files.count - 1].subscribe(queue, as: files.count - 1) }
            }
        }
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
        let isPolled = directories.contains(where: \.isPolled)
        let pollTime = isPolled ? ContinuousClock.now + .seconds(1) : nil
        let next = [deadline, burst?.end, actions.deadline, pollTime].compactMap(\.self).min()
        switch try queue.wait(until: next, orInput: actions.inputs + directories.map(\.descriptor)) {
        case .events where request.debounce == .zero: try takeEvents()
        case .events: burst = Burst(end: .now + request.debounce)
        case .input:
            try actions.receiveSignals()
            try openFiles()
        case .outputClosed: throw .outputClosed
        case .timedOut: if isPolled { try openFiles() }
        }
        try endBurstIfDue()
        actions.act(on: &files, request)
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
            case .report(let report): if let text = files[index].lines(for: report) { try printNotice(text) }
            case .directory: try openFiles()
            }
            if case .directory = event { continue }
            if files[index].needsAction, files[index].isUsable { actions.fileChanged(index) }
        }
    }

    private mutating func show(_ snapshot: Snapshot<JSON>, at time: UnixTime, of index: Int) throws(Failure) {
        let (recovery, changes) = files[index].lines(for: snapshot, at: time, request)
        let isCounting = request.action == nil
        let wanted = changes.prefix(isCounting ? request.count.map { $0 - count } ?? .max : .max)
        count += wanted.count
        if let recovery { try printNotice(recovery) }
        try printChanges(Array(wanted))
        if !changes.isEmpty { actions.fileChanged(index) }
    }
}
