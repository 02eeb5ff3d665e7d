import Glibc
import LosslessJSON
import SessionMirror
import VisibleText

/// A file of the `watch` command, and what has been printed of it.
struct WatchedFile {
    /// The name of the file in messages.
    let title: String
    private let name: String
    private let session: Session<JSON>
    private var subscriptions: [Subscription] = []
    private var format: any WatchFormat
    /// The last version that was printed, or skipped because it changed none of the paths.
    private(set) var shown: Snapshot<JSON>
    /// When ``shown`` was published.
    private var time = UnixTime.now
    /// The last version that a command has received; nil for none.
    private var taken: Snapshot<JSON>?
    private var hasReceivedStatus = false
    private let printsInitialValue: Bool

    /// Opens a session of the file.
    ///
    /// - Parameter isNew: Whether the file has appeared in a watched directory: all its values are changes.
    init(_ name: String, _ request: WatchRequest, isNew: Bool = false) throws(Failure) {
        var options = SessionOptions()
        options.parsing.dialect = request.dialect
        options.secrets = request.secrets
        options.watching = request.isPolled ? .polling : .automatic
        do throws(SessionError) {
            session = try Session([:], at: name, options: options)
        } catch {
            throw .systemError(error.message.visible)
        }
        self.name = name
        title = name.visible
        let printsLines = if case .text = request.form, request.action == nil { true } else { false }
        let text = TextFormat(title: title, paths: request.paths, terminal: printsLines ? Terminal() : nil)
        format =
            switch request.form {
            case .text: text
            case .json: JSONLinesFormat(file: request.namesFiles ? name : nil, secrets: request.secrets)
            case .template(let template):
                TemplateFormat(
                    template: template, file: name, isForTerminal: isatty(request.linesDescriptor) == 1, others: text)
            }
        let usesJSON = if case .json = request.form { true } else { false }
        printsInitialValue = request.beginsWithValue && (usesJSON || !isNew && request.action == nil)
        shown = printsInitialValue || !isNew ? session.snapshot : Snapshot([:], version: Version(0))
        if !request.beginsWithValue { taken = shown }
    }

    /// The line that says that the file is watched; nil for none.
    var header: String? { format.header() }

    /// The lines for the current value, with `--initial`.
    func initialLines(_ request: WatchRequest) -> [String] {
        guard printsInitialValue else { return [] }
        let paths = request.paths.isEmpty ? [JSONPointer()] : request.paths
        let locations = shown.locations(of: paths)
        let values = paths.compactMap { path in
            shown.value[at: path].map { value in
                let change = JSONChange(at: path, from: nil, to: value)
                return LocatedChange(change: request.secrets.redacting(change), line: locations[path]?.line)
            }
        }
        return format.initial(values, in: shown)
    }

    /// Whether ``shown`` is the value of the file, or the file is missing, which counts as one.
    var isUsable: Bool {
        if case .invalid = session.mirror.status.content { return false }
        // In this order: the version that made the file valid is published before the status says so. The event of another
        // value may still be on its way.
        return session.snapshot.value == shown.value
    }

    /// Whether the file exists and is valid.
    var hasContent: Bool { if case .good = session.mirror.status.content { true } else { false } }

    /// Whether a command must still receive the first value, which the file did not have at the beginning.
    var needsAction: Bool { taken == nil }

    /// Adds the session's events to the queue, each on the thread that delivers it, so that the order is kept.
    mutating func subscribe(_ queue: EventQueue, as index: Int) {
        let immediate = Delivery.custom { job in job() }
        subscriptions = [
            session.mirror.observe(on: immediate) { queue.add(.report($0), of: index) },
            session.observe(\.self, on: immediate) { [weak session] _ in
                if let session { queue.add(.version(session.snapshot, at: .now), of: index) }
            },
        ]
        // A version may have been published before the subscription.
        queue.add(.version(session.snapshot, at: .now), of: index)
    }

    func cancel() { for subscription in subscriptions { subscription.cancel() } }

    /// The lines for the changes in a version, and the line before them if the file can be used again.
    mutating func lines(
        for snapshot: Snapshot<JSON>, at time: UnixTime, _ request: WatchRequest
    ) -> (recovery: String?, changes: [String]) {
        guard snapshot.version > shown.version else { return (nil, []) }
        let located = changes(from: shown, to: snapshot, request)
        (shown, self.time) = (snapshot, time)
        if located.isEmpty { return (nil, []) }
        return (format.recovery(), format.changes(located, in: snapshot, at: time))
    }

    /// The changes at the watched paths, with their locations, and without secrets.
    private func changes(
        from old: Snapshot<JSON>, to new: Snapshot<JSON>, _ request: WatchRequest
    ) -> [LocatedChange] {
        let changes = new.value.difference(from: old.value).filter { request.includes($0.path) }
        if changes.isEmpty { return [] }
        let locations = new.locations(of: changes.lazy.filter { $0.new != nil }.map(\.path))
        return changes.map { change in
            let line = change.new == nil ? nil : locations[change.path]?.line
            return LocatedChange(change: request.secrets.redacting(change), line: line)
        }
    }

    /// The change since the last one that was taken, for a command; nil if there is none.
    mutating func takeChange(_ request: WatchRequest) -> FileChange? {
        let format = JSONLinesFormat(file: name, secrets: request.secrets)
        defer { taken = shown }
        guard let taken else {
            let value = request.secrets.redacting(shown.value)
            return FileChange(of: name, line: format.initial(shown), path: JSONPointer(), old: nil, new: value)
        }
        let changes = changes(from: taken, to: shown, request)
        if changes.isEmpty { return nil }
        let path = FileChange.commonPath(of: changes.map(\.change))
        return FileChange(
            of: name, line: format.change(changes, in: shown, at: time), path: path,
            old: taken.value[at: path].map { request.secrets.redacting($0, at: path) },
            new: shown.value[at: path].map { request.secrets.redacting($0, at: path) })
    }

    /// The lines for a report; nil for none.
    ///
    /// Skips the first status, which the session was opened with, unless the file is missing or not watched live: the
    /// initial value or the problem says the rest.
    mutating func lines(for report: MirrorReport) -> String? {
        let text = format.report(report)
        guard case .status(let status) = report, !hasReceivedStatus else { return text }
        hasReceivedStatus = true
        return status.watching != .live || status.content == .missing ? text : nil
    }
}
