import Foundation
import HTTPServer
import LosslessJSON
import SessionMirror
import Synchronization

/// Sends the settings to all pages, and every change of them.
///
/// A page that reconnects names the last change that it has seen, and gets the later ones; or all settings, if there
/// are too many changes, or the service was restarted.
final class LiveEvents: Sendable {
    private struct State {
        var values: JSON
        /// The paths of the values that the file leaves out.
        var defaults: [JSONPointer]
        /// The text of the comments.
        var document: JSONDocument?
        /// The comments of the file, by the pointer of the value that each belongs to.
        var comments: JSON = .object([:])
        var history = ChangeHistory()
        var status: JSON = .object([:])
        /// The URL of the service.
        var address: String?
        var clients: [ObjectIdentifier: EventStream] = [:]
    }

    private let session: Session<Settings>
    private let log: Log
    private let isReadOnly: Bool
    private let state: Mutex<State>
    /// Identifies this process in the identifiers of events.
    private let instance = String(UInt64.random(in: 0 ... .max), radix: 36)

    /// - Parameter isReadOnly: Whether the session cannot change the file.
    init(_ session: Session<Settings>, isReadOnly: Bool, _ log: Log) {
        (self.session, self.isReadOnly, self.log) = (session, isReadOnly, log)
        let (values, defaults) = SettingsEditor.values(session.snapshot.value, session.snapshot.json)
        state = Mutex(State(values: values, defaults: defaults))
    }

    /// Observes the session, until the result is released.
    func observe() -> [Subscription] {
        [
            session.observe("", initial: true) { [weak self] in self?.settingsChanged($0) },
            session.mirror.observe { [weak self] _ in self?.statusChanged() },
        ]
    }

    private func settingsChanged(_ change: Change<JSON?>) {
        let tree = change.new ?? .object([:])
        // The session may have a later version already.
        let snapshot = session.snapshot
        let known = snapshot.version == change.version ? snapshot.value : try? SettingsEditor.settings(of: tree)
        guard let known else { return }
        let (values, defaults) = SettingsEditor.values(known, tree)
        let entries = state.withLock { state in
            let entries = state.history.add(
                values.changes(from: state.values), change.origin, leftOut: state.defaults)
            // Send this also without a changed value: the file may now have a value that was a default.
            let haveCommentsChanged = updateComments(&state)
            if entries.isEmpty, defaults == state.defaults, !haveCommentsChanged { return entries }
            (state.values, state.defaults) = (values, defaults)
            sendChanges(entries, withComments: haveCommentsChanged, state)
            return entries
        }
        for entry in entries.suffix(ChangeHistory.limit) {
            log.info("settings changed", entry.metadata(Settings.secrets))
        }
    }

    /// Reads the comments of the file; returns whether they have changed.
    private func updateComments(_ state: inout State) -> Bool {
        let document = session.mirror.document
        if document?.bytes == state.document?.bytes { return false }
        state.document = document
        var comments: JSONObject = [:]
        for comment in document?.comments() ?? [] where !Settings.mayRevealSecret(comment.path) {
            let path = comment.path.description
            comments[path] = JSON(comments[path]?.string.map { "\($0)\n\(comment.text)" } ?? comment.text)
        }
        defer { state.comments = .object(comments) }
        return .object(comments) != state.comments
    }

    private func statusChanged() { state.withLock { updateStatus(&$0) } }

    /// Sends the new address of the service to all pages, which move there.
    func addressChanged(_ address: String) {
        state.withLock { state in
            state.address = address
            updateStatus(&state)
        }
    }

    private func updateStatus(_ state: inout State) {
        let status = session.mirror.status
        var members: JSONObject = [
            "watching": JSON(status.watching.description), "pending": JSON(status.saving != .clean),
            "readOnly": JSON(isReadOnly), "missing": JSON(status.content == .missing),
        ]
        if let address = state.address { members["address"] = JSON(address) }
        if case .invalid(let problem) = status.content { members["problem"] = Self.json(problem) }
        if case .failing(let problem) = status.saving { members["unsaved"] = JSON(problem.message) }
        if state.status == .object(members) { return }
        state.status = .object(members)
        send("status", state.status, state)
    }

    /// Adds a page.
    ///
    /// - Parameter last: The identifier of the last event that the page has.
    func stream(after last: String?) -> EventStream {
        let stream = EventStream()
        let identifier = ObjectIdentifier(stream)
        state.withLock { state in
            if updateComments(&state) { sendChanges([], withComments: true, state) }
            let id = "\(instance)-\(state.history.number)"
            if let seen = number(of: last), let entries = state.history.entries(after: seen) {
                stream.send("changes", id: id, data: Self.bytes(Self.changes(entries, withComments: true, state)))
            } else {
                let event: JSON = [
                    "values": Settings.secrets.redacting(state.values), "defaults": Self.json(state.defaults),
                    "comments": state.comments, "history": Self.json(state.history.entries),
                ]
                stream.send("settings", id: id, data: Self.bytes(event))
            }
            stream.send("status", data: Self.bytes(state.status))
            state.clients[identifier] = stream
        }
        stream.onEnd { [weak self] in self?.state.withLock { $0.clients[identifier] = nil } }
        return stream
    }

    /// The number of the change of an event; nil if it was not of this process.
    private func number(of event: String?) -> Int? {
        let parts = event?.split(separator: "-") ?? []
        return parts.count == 2 && parts[0] == instance ? Int(parts[1]) : nil
    }

    /// A change of the history; nil if it is no longer known, or belongs to another process.
    func entry(_ number: Int, of instance: String?) -> ChangeHistory.Entry? {
        instance == self.instance ? state.withLock { $0.history.entry(number) } : nil
    }

    /// Whether a value, or one above or below it, was changed after an event; true if unknown.
    func hasChanged(_ path: JSONPointer, after event: String?) -> Bool {
        state.withLock { state in
            guard let seen = number(of: event), let entries = state.history.entries(after: seen) else { return true }
            return entries.contains { entry in
                zip(entry.change.path.tokens, path.tokens).allSatisfy { $0 == $1 }
            }
        }
    }

    /// Sends a keep-alive event to each page. Also sends comments that have changed without a value, because a session
    /// does not report them.
    func ping() {
        state.withLock { state in
            if state.clients.isEmpty { return }
            if updateComments(&state) { sendChanges([], withComments: true, state) }
            for stream in state.clients.values { stream.send("ping", data: "{}".utf8) }
        }
    }

    private static func changes(_ entries: [ChangeHistory.Entry], withComments: Bool, _ state: State) -> JSON {
        var event: JSONObject = ["entries": json(entries), "defaults": json(state.defaults)]
        if withComments { event["comments"] = state.comments }
        return .object(event)
    }

    private func sendChanges(_ entries: [ChangeHistory.Entry], withComments: Bool, _ state: State) {
        if state.clients.isEmpty { return }
        send("changes", Self.changes(entries, withComments: withComments, state), state)
    }

    private func send(_ name: String, _ event: JSON, _ state: State) {
        let (id, bytes) = ("\(instance)-\(state.history.number)", Self.bytes(event))
        for client in state.clients.values { client.send(name, id: id, data: bytes) }
    }

    private static func json(_ paths: [JSONPointer]) -> JSON { .array(JSONArray(paths.map { JSON($0.description) })) }

    private static func json(_ entries: [ChangeHistory.Entry]) -> JSON {
        .array(JSONArray(entries.map { $0.json(Settings.secrets) }))
    }

    private static func json(_ problem: SessionProblem) -> JSON {
        var members: [(String, JSON)] = [("report", JSON(problem.fullDescription)), ("message", JSON(problem.message))]
        if let location = problem.location {
            members += [("line", JSON(location.line)), ("column", JSON(location.column))]
        }
        return .object(JSONObject(members))
    }

    private static func bytes(_ value: JSON) -> [UInt8] { JSONPrinter(layout: .compact).bytes(value) }
}
