import LosslessJSON
import SessionMirror

/// Lines for programs: each a JSON object that says by `event` what it is.
struct ObjectLines: WatchFormat {
    func beginning(_ snapshot: Snapshot<JSON>) -> String {
        line("initial", [("version", JSON(snapshot.version.number)), ("value", snapshot.value)])
    }

    func changes(_ changes: [LocatedChange], in snapshot: Snapshot<JSON>, at time: UnixTime) -> [String] {
        let members: [(String, JSON?)] = [
            ("version", JSON(snapshot.version.number)),
            ("origin", JSON(snapshot.origin.rawValue)),
            ("at", JSON(time.nanoseconds)),
            ("changes", .array(JSONArray(changes.map(ObjectLines.object)))),
        ]
        return [line("change", members)]
    }

    static func object(_ located: LocatedChange) -> JSON {
        object([
            ("path", JSON(located.change.path.description)), ("old", located.change.old),
            ("new", located.change.new), ("line", located.line.map { JSON($0) }),
        ])
    }

    func report(_ report: MirrorReport) -> String? {
        switch report {
        case .problem(let problem):
            line(
                "problem",
                [
                    ("code", JSON(problem.code.rawValue)), ("line", problem.location.map { JSON($0.line) }),
                    ("column", problem.location.map { JSON($0.column) }), ("message", JSON(problem.message)),
                ])
        case .recovered: line("recovered", [])
        case .status(let status): line("status", ObjectLines.members(of: status))
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
        case .polling(let reason): [("watching", "polling"), ("reason", JSON(reason)), ("content", content)]
        case .frozen: [("watching", "frozen"), ("content", content)]
        }
    }

    private func line(_ event: String, _ members: [(String, JSON?)]) -> String {
        JSONPrinter(layout: .compact).string(ObjectLines.object([("event", JSON(event))] + members))
    }

    /// Without the members that have no value.
    private static func object(_ members: [(String, JSON?)]) -> JSON {
        .object(JSONObject(members.compactMap { key, value in value.map { (key, $0) } }))
    }
}
