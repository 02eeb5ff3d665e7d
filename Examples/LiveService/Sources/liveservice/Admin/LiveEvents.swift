import Foundation
import HTTPServer
import LosslessJSON
import SessionMirror
import Synchronization

/// Sends the settings to all pages, and every change of them.
///
/// A page that comes back says which change it has seen last, and gets those after it; or everything, if these are too many,
/// or the service was started again.
final class LiveEvents: Sendable {
    private struct State {
        var values: JSON
        var history = ChangeHistory()
        var status: JSON = .object([:])
        var clients: [ObjectIdentifier: EventStream] = [:]
    }

    private let session: Session<Settings>
    private let log: Log
    private let state: Mutex<State>
    /// Says that numbers of changes belong to this process.
    private let instance = String(UInt64.random(in: 0 ... .max), radix: 36)

    init(_ session: Session<Settings>, _ log: Log) {
        (self.session, self.log) = (session, log)
        state = Mutex(State(values: SettingsEditor.values(session.snapshot)))
    }

    /// Observes the session, until the result is released.
    func observe() -> [Subscription] {
        [
            session.observe("") { [weak self] _ in self?.settingsChanged() },
            session.mirror.observe { [weak self] _ in self?.statusChanged() },
        ]
    }

    private func settingsChanged() {
        let snapshot = session.snapshot
        let values = SettingsEditor.values(snapshot)
        let entries = state.withLock { state in
            let entries = state.history.add(values.difference(from: state.values), snapshot.origin)
            state.values = values
            // Also without a change of a value: the file may have one now that was a default.
            let event: JSON = [
                "entries": Self.json(entries), "defaults": Self.defaults(values, snapshot),
                "version": JSON(snapshot.version.number),
            ]
            send("changes", event, state)
            return entries
        }
        for entry in entries { log.info("settings changed", entry.metadata(Settings.secrets)) }
    }

    private func statusChanged() {
        let status = session.mirror.status
        var members: [(String, JSON)] = [
            ("watching", JSON(status.watching.description)), ("pending", JSON(status.saving != .clean)),
        ]
        if case .invalid(let problem) = status.content { members.append(("problem", Self.json(problem))) }
        if case .failing(let problem) = status.saving { members.append(("unsaved", JSON(problem.message))) }
        let new = JSON.object(JSONObject(members))
        state.withLock { state in
            if state.status == new { return }
            state.status = new
            send("status", new, state)
        }
    }

    /// Adds a page.
    ///
    /// - Parameter last: The identifier of the last event that the page has.
    func stream(after last: String?) -> EventStream {
        let stream = EventStream()
        let identifier = ObjectIdentifier(stream)
        let snapshot = session.snapshot
        state.withLock { state in
            let parts = last?.split(separator: "-") ?? []
            let seen = parts.count == 2 && parts[0] == instance ? Int(parts[1]) : nil
            let id = "\(instance)-\(state.history.number)"
            let defaults = Self.defaults(state.values, snapshot)
            if let seen, let entries = state.history.entries(after: seen) {
                let event: JSON = ["entries": Self.json(entries), "defaults": defaults]
                stream.send("changes", id: id, data: Self.bytes(event))
            } else {
                let event: JSON = [
                    "values": Settings.secrets.redacting(state.values), "defaults": defaults,
                    "history": Self.json(state.history.entries),
                ]
                stream.send("settings", id: id, data: Self.bytes(event))
            }
            stream.send("status", data: Self.bytes(state.status))
            state.clients[identifier] = stream
        }
        stream.onEnd { [weak self] in self?.state.withLock { $0.clients[identifier] = nil } }
        return stream
    }

    func entry(_ number: Int) -> ChangeHistory.Entry? { state.withLock { $0.history.entry(number) } }

    /// Lets clients that have gone be noticed.
    func ping() { for stream in state.withLock({ Array($0.clients.values) }) { stream.ping() } }

    private func send(_ name: String, _ event: JSON, _ state: State) {
        let (id, bytes) = ("\(instance)-\(state.history.number)", Self.bytes(event))
        for client in state.clients.values { client.send(name, id: id, data: bytes) }
    }

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

    private static func defaults(_ values: JSON, _ snapshot: Snapshot<Settings>) -> JSON {
        let paths = SettingsEditor.defaults(of: values, in: snapshot.json)
        return .array(JSONArray(paths.map { JSON($0.description) }))
    }

    private static func bytes(_ value: JSON) -> [UInt8] { JSONPrinter(layout: .compact).bytes(value) }
}
