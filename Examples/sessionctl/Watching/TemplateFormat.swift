import LosslessJSON
import SessionMirror
import VisibleText

/// Lines in the form of a template, one for each change. Other lines are those for people.
struct TemplateFormat: WatchFormat {
    let template: ChangeTemplate
    let file: String
    /// Whether the lines are for a terminal, which must not interpret characters in values.
    let isForTerminal: Bool
    var others: TextFormat

    func header() -> String? { others.header() }

    func initial(_ values: [LocatedChange], in snapshot: Snapshot<JSON>) -> [String] {
        values.map { line($0, "initial", snapshot, .now) }
    }

    func changes(_ changes: [LocatedChange], in snapshot: Snapshot<JSON>, at time: UnixTime) -> [String] {
        changes.map { located in
            let kind =
                switch located.change.kind {
                case .added: "added"
                case .removed: "removed"
                case .changed: "changed"
                }
            return line(located, kind, snapshot, time)
        }
    }

    private func line(
        _ located: LocatedChange, _ kind: String, _ snapshot: Snapshot<JSON>, _ time: UnixTime
    ) -> String {
        let text = template.text { field in
            switch field {
            case .file: JSON(file)
            case .line: located.line.map { JSON($0) }
            case .path: JSON(located.change.path.isRoot ? "" : located.change.path.dotted)
            case .pointer: JSON(located.change.path.description)
            case .kind: JSON(kind)
            case .old: located.change.old
            case .new: located.change.new
            case .version: JSON(snapshot.version.number)
            case .time: JSON(time.timestamp)
            }
        }
        return isForTerminal ? text.visibleLines : text
    }

    mutating func recovery() -> String? { others.recovery() }

    mutating func report(_ report: MirrorReport) -> String? { others.report(report) }
}
