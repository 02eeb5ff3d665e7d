import LosslessJSON
import SessionMirror

/// How what happens to a file is put into lines.
protocol WatchFormat {
    /// What is said before everything else.
    func beginning(_ snapshot: Snapshot<JSON>) -> String

    /// The lines about the changes that a version brought, at least one.
    func changes(_ changes: [LocatedChange], in snapshot: Snapshot<JSON>, at time: UnixTime) -> [String]

    /// What is said about a report; nil for nothing.
    mutating func report(_ report: MirrorReport) -> String?
}

/// A change, and the line of the file in which the new value stands; nil where there is none.
struct LocatedChange {
    let change: JSONChange
    let line: Int?
}
