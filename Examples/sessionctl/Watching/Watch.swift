import LosslessJSON
import SessionMirror

/// The `watch` command: prints the events of sessions in order until an end condition is met.
struct Watch {
    private let request: WatchRequest
    private let deadline: ContinuousClock.Instant?
    private let queue: EventQueue
    private var files: [WatchedFile] = []
    private var count = 0

    init(_ request: WatchRequest) throws(Failure) {
        self.request = request
        deadline = request.limit.map { .now + $0.duration }
        queue = try EventQueue()
    }

    mutating func run() throws(Failure) -> ExitCode {
        for name in request.files {
            let file = try WatchedFile(name, request)
            try Output.standard.write(file.header + "\n")
            files.append(file)
        }
        let subscriptions = files.indices.flatMap { files[$0].subscribe(queue, as: $0) }
        defer { for subscription in subscriptions { subscription.cancel() } }
        while !isFinished { try showNextEvents() }
        return .success
    }

    private mutating func showNextEvents() throws(Failure) {
        switch try queue.wait(until: deadline) {
        case .events: for (event, file) in queue.takeAll() where !isFinished { try show(event, of: file) }
        case .outputClosed: throw .outputClosed
        case .input: break
        case .timedOut: throw .negative(timeoutMessage)
        }
    }
}

extension Watch {
    /// Whether the condition of `--count` or `--until` is met.
    private var isFinished: Bool {
        if let wanted = request.count, count >= wanted { return true }
        guard let awaitedValue = request.awaitedValue else { return false }
        return files.allSatisfy { awaitedValue.isReached(in: $0.shown.value) }
    }

    /// The message after a timeout. Names the first file that lacks the value.
    private var timeoutMessage: String {
        let time = request.limit?.text ?? ""
        if let awaitedValue = request.awaitedValue,
            let file = files.first(where: { !awaitedValue.isReached(in: $0.shown.value) })
        {
            let reason = awaitedValue.difference(in: file.shown.value, hiding: request.secrets)
            return "\(file.title): after \(time): \(reason)"
        }
        let title = files.count == 1 ? files[0].title : "\(files.count) files"
        if let wanted = request.count { return "\(title): after \(time): \(count) of \(wanted) changes" }
        return "\(title): timed out after \(time)"
    }

    private mutating func show(_ event: WatchEvent, of file: Int) throws(Failure) {
        switch event {
        case .version(let snapshot, let time):
            let (recovery, changes) = files[file].lines(for: snapshot, at: time, request)
            let wanted = changes.prefix(request.count.map { $0 - count } ?? .max)
            count += wanted.count
            let lines = (recovery.map { [$0] } ?? []) + wanted
            try Output.standard.write(lines.map { $0 + "\n" }.joined())
        case .report(let report):
            if let text = files[file].lines(for: report) { try Output.standard.write(text + "\n") }
        }
    }
}
