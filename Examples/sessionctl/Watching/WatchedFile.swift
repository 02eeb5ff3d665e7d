import LosslessJSON
import SessionMirror
import VisibleText

/// A file of the `watch` command, and what has been printed of it.
struct WatchedFile {
    /// The name of the file in messages.
    let title: String
    private let session: Session<JSON>
    private var format: any WatchFormat
    /// The last version that was printed, or skipped because it changed none of the paths.
    private(set) var shown: Snapshot<JSON>
    private var hasReceivedStatus = false

    /// Opens a session of the file.
    init(_ name: String, _ request: WatchRequest) throws(Failure) {
        var options = SessionOptions()
        options.parsing.dialect = request.dialect
        options.secrets = request.secrets
        options.watching = request.isPolled ? .polling : .automatic
        do throws(SessionError) {
            session = try Session([:], at: name, options: options)
        } catch {
            throw .systemError(error.message.visible)
        }
        title = name.visible
        format =
            request.usesJSON
            ? JSONLinesFormat(file: request.files.count > 1 ? name : nil, secrets: request.secrets)
            : TextFormat(title: title, paths: request.paths, terminal: Terminal())
        shown = session.snapshot
    }

    /// The first line.
    var header: String { format.header(shown) }

    /// Adds the session's events to the queue, each on the thread that delivers it, so that the order is kept.
    func subscribe(_ queue: EventQueue, as index: Int) -> [Subscription] {
        let immediate = Delivery.custom { job in job() }
        let subscriptions = [
            session.mirror.observe(on: immediate) { queue.add(.report($0), of: index) },
            session.observe(\.self, on: immediate) { [weak session] _ in
                if let session { queue.add(.version(session.snapshot, at: .now), of: index) }
            },
        ]
        // A version may have been published before the subscription.
        queue.add(.version(session.snapshot, at: .now), of: index)
        return subscriptions
    }

    /// The lines for the changes in a version, and the line before them if the file can be used again.
    mutating func lines(
        for snapshot: Snapshot<JSON>, at time: UnixTime, _ request: WatchRequest
    ) -> (recovery: String?, changes: [String]) {
        guard snapshot.version > shown.version else { return (nil, []) }
        let changes = snapshot.value.difference(from: shown.value).filter { request.includes($0.path) }
        shown = snapshot
        if changes.isEmpty { return (nil, []) }
        let locations = snapshot.locations(of: changes.lazy.filter { $0.new != nil }.map(\.path))
        let located = changes.map { change in
            let line = change.new == nil ? nil : locations[change.path]?.line
            return LocatedChange(change: request.secrets.redacting(change), line: line)
        }
        return (format.recovery(), format.changes(located, in: snapshot, at: time))
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
