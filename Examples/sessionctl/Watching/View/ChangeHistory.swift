import LosslessJSON
import SessionMirror

/// The last changes of all files, as short texts, so that no old version stays in memory.
struct ChangeHistory {
    struct Entry {
        let time: UnixTime
        let origin: Origin
        let file: Int
        let change: Change
        let path: JSONPointer
        let old: String
        let new: String

        typealias Change = JSONChange.Kind
    }

    static let limit = 500
    private static let textLimit = 200

    /// From the oldest to the newest.
    private var entries: [Entry] = []
    /// The number of changes since the start.
    private(set) var total = 0

    var count: Int { entries.count }

    /// The entry with a number; 0 is the newest.
    subscript(index: Int) -> Entry { entries[entries.count - 1 - index] }

    /// Adds the changes of a version; of very many, only the last.
    mutating func add(
        _ changes: [JSONChange], of file: Int, _ origin: Origin, at time: UnixTime, hiding secrets: JSONSecrets
    ) {
        total += changes.count
        for change in changes.suffix(Self.limit) {
            let change = secrets.redacting(change)
            func text(_ value: JSON?) -> String { value?.text(upTo: Self.textLimit) ?? "(none)" }
            entries.append(
                Entry(
                    time: time, origin: origin, file: file, change: change.kind, path: change.path,
                    old: text(change.old), new: text(change.new)))
        }
        // Removed in large portions, because each removal moves the rest.
        if entries.count > 2 * Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }
}
