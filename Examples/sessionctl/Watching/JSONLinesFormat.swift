import LosslessJSON
import SessionMirror
import VisibleText

/// JSON Lines: one object per event, whose `event` member is its kind.
struct JSONLinesFormat: WatchFormat {
    /// The `file` member of each object; nil if only one file is watched.
    let file: String?
    let secrets: JSONSecrets

    func header() -> String? { nil }

    /// The whole value.
    func initial(_ values: [LocatedChange], in snapshot: Snapshot<JSON>) -> [String] { [initial(snapshot)] }

    func initial(_ snapshot: Snapshot<JSON>) -> String {
        line("initial", [("version", JSON(snapshot.version.number)), ("value", secrets.redacting(snapshot.value))])
    }

    func changes(_ changes: [LocatedChange], in snapshot: Snapshot<JSON>, at time: UnixTime) -> [String] {
        [change(changes, in: snapshot, at: time)]
    }

    func change(_ changes: [LocatedChange], in snapshot: Snapshot<JSON>, at time: UnixTime) -> String {
        let members: [(String, JSON?)] = [
            ("version", JSON(snapshot.version.number)),
            ("origin", JSON(snapshot.origin.rawValue)),
            ("at", JSON(time.nanoseconds)),
            ("changes", .array(JSONArray(changes.map(JSONLinesFormat.object)))),
        ]
        return line("change", members)
    }

    static func object(_ located: LocatedChange) -> JSON {
        object([
            ("path", JSON(located.change.path.description)), ("old", located.change.old),
            ("new", located.change.new), ("line", located.line.map { JSON($0) }),
        ])
    }

    /// The event follows the changes.
    func recovery() -> String? { nil }

    func report(_ report: MirrorReport) -> String? {
        switch report {
        case .problem(let problem):
            line(
                "problem",
                [
                    ("code", JSON(problem.code.name)), ("line", problem.location.map { JSON($0.line) }),
                    ("column", problem.location.map { JSON($0.column) }), ("message", JSON(problem.message)),
                ])
        case .recovered: line("recovered", [])
        case .status(let status): line("status", JSONLinesFormat.members(of: status))
        }
    }

    private static func members(of status: MirrorStatus) -> [(String, JSON?)] {
        let content: JSON =
            switch status.content {
            case .good: "good"
            case .missing: "missing"
            case .invalid: "invalid"
            }
        return switch status.watching {
        case .live: [("watching", "live"), ("content", content)]
        case .polling(let reason): [("watching", "polling"), ("reason", JSON("\(reason)")), ("content", content)]
        case .notWatching: [("watching", "none"), ("content", content)]
        }
    }

    private func line(_ event: String, _ members: [(String, JSON?)]) -> String {
        JSONLinesFormat.line(
            JSONLinesFormat.object([("event", JSON(event)), ("file", file.map { JSON($0) })] + members))
    }

    /// A compact object with line separators and invisible characters escaped.
    static func line(_ object: JSON) -> String { JSONPrinter(layout: .compact).string(object).escapingInvisible }

    /// Omits members without a value.
    static func object(_ members: [(String, JSON?)]) -> JSON {
        .object(JSONObject(members.compactMap { key, value in value.map { (key, $0) } }))
    }
}
