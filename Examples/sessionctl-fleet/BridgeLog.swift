import FleetSession
import Locking
import LosslessJSON
import VisibleText

/// Writes what happens to a bridge: lines to standard error, or JSON Lines to standard output.
final class BridgeLog: Sendable {
    private let file: String
    private let key: String
    private let isJSON: Bool
    private let events = Lock(BridgeEvents())

    init(file: String, key: String, isJSON: Bool) { (self.file, self.key, self.isJSON) = (file, key, isJSON) }

    /// Returns false if nobody can read the events.
    func write(_ report: MirrorReport) -> Bool {
        for event in events.withLock({ $0.events(in: report) }) {
            guard isJSON else {
                Output.messages.writeLine(text(of: event))
                continue
            }
            let line = JSONPrinter(layout: .compact).string(Self.object(of: event)).escapingInvisible
            if Output.standard.writeLine(line) != 0 { return false }
        }
        return true
    }

    private func text(of event: BridgeEvents.Event) -> String {
        switch event {
        case .connected(let revision): "\(file): connected, \(key) has revision \(revision)"
        case .disconnected(let reason): "\(file): disconnected: \(reason)"
        case .keyMissing: "\(file): there is no \(key); the next change of the file creates it"
        case .keyFound: "\(file): \(key) exists again"
        case .standby: "\(file): standing by: another process of this machine keeps the file in sync"
        case .problem(let problem): problem.fullDescription
        case .recovered(let problem): "\(MirrorReport.recovered(problem))"
        case .missing: "\(file): no such file; waiting for it"
        case .found: "\(file): the file exists"
        case .polling(let reason): "\(file): polling: \(reason)"
        case .live: "\(file): watching again"
        }
    }

    private static func object(of event: BridgeEvents.Event) -> JSON {
        switch event {
        case .connected(let revision): ["event": "connected", "revision": JSON(revision)]
        case .disconnected(let reason): ["event": "disconnected", "reason": JSON(reason)]
        case .keyMissing: ["event": "key", "exists": false]
        case .keyFound: ["event": "key", "exists": true]
        case .standby: ["event": "standby"]
        case .problem(let problem): members(of: problem, "problem")
        case .recovered(let problem): members(of: problem, "recovered")
        case .missing: ["event": "status", "content": "missing"]
        case .found: ["event": "status", "content": "good"]
        case .polling(let reason): ["event": "status", "watching": "polling", "reason": JSON("\(reason)")]
        case .live: ["event": "status", "watching": "live"]
        }
    }

    private static func members(of problem: SessionProblem, _ event: String) -> JSON {
        let location = problem.location
        let members: [(String, JSON?)] = [
            ("event", JSON(event)), ("file", JSON(problem.file)), ("code", JSON(problem.code.name)),
            ("path", problem.path.map { JSON($0.description) }), ("line", location.map { JSON($0.line) }),
            ("column", location.map { JSON($0.column) }), ("message", JSON(problem.message)),
        ]
        return .object(JSONObject(members.compactMap { name, value in value.map { (name, $0) } }))
    }
}

/// Finds in the reports of a session what is worth a line, once each.
struct BridgeEvents {
    enum Event {
        case connected(revision: Int)
        case disconnected(reason: String)
        case keyMissing
        case keyFound
        case standby
        case problem(SessionProblem)
        case recovered(SessionProblem)
        case missing
        case found
        case polling(FileWatchReason)
        case live
    }

    private var connection = FleetStatus.Connection.connecting
    private var watching = MirrorStatus.Watching.live
    private var isMissing = false
    private var isKeyMissing = false

    mutating func events(in report: MirrorReport) -> [Event] {
        switch report {
        case .problem(let problem): return [.problem(problem)]
        case .recovered(let problem): return [.recovered(problem)]
        case .status(let status):
            let found = [contentEvent(status), watchingEvent(status), connectionEvent(status), keyEvent(status)]
            return found.compactMap(\.self)
        }
    }

    private mutating func contentEvent(_ status: MirrorStatus) -> Event? {
        let wasMissing = isMissing
        isMissing = status.content == .missing
        return wasMissing == isMissing ? nil : isMissing ? .missing : .found
    }

    private mutating func watchingEvent(_ status: MirrorStatus) -> Event? {
        if status.watching == watching { return nil }
        watching = status.watching
        switch watching {
        case .live: return .live
        case .polling(let reason): return .polling(reason)
        case .notWatching: return nil
        }
    }

    private mutating func keyEvent(_ status: MirrorStatus) -> Event? {
        guard let fleet = status.fleet, fleet.isKeyMissing != isKeyMissing else { return nil }
        isKeyMissing = fleet.isKeyMissing
        return isKeyMissing ? .keyMissing : .keyFound
    }

    /// Of an outage the first reason, although each attempt to connect may have another one.
    private mutating func connectionEvent(_ status: MirrorStatus) -> Event? {
        guard let fleet = status.fleet else { return nil }
        let before = connection
        connection = fleet.connection
        switch (before, connection) {
        case (.connected, .connected), (.disconnected, .disconnected), (.standby, .standby), (_, .connecting):
            return nil
        case (_, .connected): return .connected(revision: fleet.revision)
        case (_, .disconnected(_, let reason)): return .disconnected(reason: reason)
        case (_, .standby): return .standby
        }
    }
}
