import Foundation
import LosslessJSON
import SessionMirror

/// The last changes of the settings, each of one value.
struct ChangeHistory: Sendable {
    struct Entry: Sendable {
        /// Counts from 1, in this process.
        let number: Int
        let time: Date
        let origin: Origin
        let change: JSONChange
        /// Whether the file had left the value out, so that the old value was a default.
        let wasLeftOut: Bool
    }

    static let limit = 100
    private(set) var entries: [Entry] = []
    /// The number of the last change.
    private(set) var number = 0

    /// Adds changes, and returns their entries.
    ///
    /// - Parameter defaults: The paths of the values that the file had left out.
    mutating func add(
        _ changes: [JSONChange], _ origin: Origin, leftOut defaults: [JSONPointer], at time: Date = .now
    ) -> [Entry] {
        let new = changes.map { change in
            number += 1
            let wasLeftOut = defaults.contains { change.path.tokens.starts(with: $0.tokens) }
            return Entry(number: number, time: time, origin: origin, change: change, wasLeftOut: wasLeftOut)
        }
        entries = (entries + new).suffix(Self.limit)
        return new
    }

    func entry(_ number: Int) -> Entry? { entries.first { $0.number == number } }

    /// The entries after a number; nil if some of them are no longer known, or the number was never given.
    func entries(after number: Int) -> [Entry]? {
        let missing = self.number - number
        return (0...entries.count).contains(missing) ? entries.suffix(missing) : nil
    }
}

extension ChangeHistory.Entry {
    private var by: String { origin == .external ? "outside" : "service" }

    /// The entry for the log, without secrets.
    func metadata(_ secrets: JSONSecrets) -> [String: String] {
        let change = secrets.redacting(change)
        var metadata = ["path": change.path.dotted, "by": by]
        for (name, value) in [("old", change.old), ("new", change.new)] {
            metadata[name] = value.map { String(($0.string ?? $0.description).prefix(200)) }
        }
        return metadata
    }

    /// The entry for the page, without secrets.
    func json(_ secrets: JSONSecrets) -> JSON {
        let change = secrets.redacting(change)
        var members: [(String, JSON)] = [
            ("number", JSON(number)), ("time", JSON(time.formatted(.iso8601))),
            ("by", JSON(by)), ("path", JSON(change.path.description)),
        ]
        if let old = change.old { members.append(("old", old)) }
        if let new = change.new { members.append(("new", new)) }
        return .object(JSONObject(members))
    }
}

extension JSON {
    /// The changes from another tree to this one, each of one value. An array changes as a whole, because the positions
    /// of its elements shift.
    func changes(from old: JSON) -> [JSONChange] {
        var changes: [JSONChange] = []
        for change in difference(from: old) {
            let containers = change.path.tokens.indices.lazy.map { JSONPointer(Array(change.path.tokens[..<$0])) }
            let array = containers.first { old[at: $0]?.array != nil || self[at: $0]?.array != nil }
            guard let array else {
                changes.append(change)
                continue
            }
            if changes.last?.path != array {
                changes.append(JSONChange(at: array, from: old[at: array], to: self[at: array]))
            }
        }
        return changes
    }
}
