internal import Locking
internal import LosslessJSON

/// The log of values that this process overwrote in the file, used to detect stale writes.
///
/// A program that has read the file before a save and writes the whole file back after it reverts the saved values.
/// Such a write cannot be told apart from an intended edit. But a value that changes back to exactly what it was,
/// shortly after it was overwritten, is more likely a stale write. It is restored, once.
///
/// The log keeps hashes, not values, so that its size does not depend on the values: at most 1 MB.
struct OwnWriteLog: Sendable {
    struct Limits: Sendable {
        /// How long after a save a reverted value counts as a stale write. Zero: nothing is logged.
        var staleWriteWindow = Duration.seconds(1)
        /// How long overwritten values are kept.
        var retention = Duration.seconds(3_600)
        /// The maximum number of overwritten values.
        var capacity = 6_000
    }

    /// What it means that a value has changed.
    enum RevertKind: Equatable {
        /// An edit: this process did not overwrite the value.
        case none
        /// This process overwrote the value within the stale write window, and has not restored it.
        case staleWrite
        /// This process overwrote the value earlier, or has restored it once.
        case revert
    }

    private struct OverwrittenValue {
        /// When it was overwritten last.
        var time: Instant
        var times: UInt32
        var mayBeRestored: Bool
    }

    private struct WrittenPath {
        /// The value that this process wrote last.
        var latest: ValueHash
        /// The number of log entries of this path.
        var count: UInt32
    }

    private struct LogEntry {
        let path: PathHash
        let value: ValueHash
        let time: Instant
    }

    let limits: Limits
    private var paths: [PathHash: WrittenPath] = [:]
    private var overwritten: [ValueHash: OverwrittenValue] = [:]
    /// In chronological order, from `front` on.
    private var entries: [LogEntry] = []
    private var front = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    var isEmpty: Bool { paths.isEmpty }

    /// The number of overwritten values.
    var count: Int { entries.count - front }

    /// Creates the record of changes made by a save; nil if there is nothing to log. Hashes the values, which takes
    /// long if they are large.
    func record(_ changes: [ValueChange], at moment: Instant) -> Record? {
        if limits.staleWriteWindow <= .zero || changes.isEmpty { return nil }
        return .writes(changes.suffix(limits.capacity).map(Write.init), at: moment)
    }

    mutating func append(_ records: [Record]) {
        for record in records {
            switch record {
            case .writes(let writes, let moment):
                for write in writes { add(write, at: moment) }
                removeExpired(at: moment)
            case .restored(let value, let moment):
                overwritten[value]?.mayBeRestored = false
                // However long the save takes that restores the value.
                overwritten[value]?.time = moment
            }
        }
    }

    /// What it means that the value at a path has changed to `value`.
    func revertKind(
        of value: JSON?, at path: JSONPointer, since old: JSON? = nil, at moment: Instant
    ) -> RevertKind {
        guard paths[PathHash(path)] != nil, let overwritten = overwritten[ValueHash(value, at: path, since: old)],
            moment < overwritten.time + limits.retention
        else { return .none }
        return overwritten.mayBeRestored && moment < overwritten.time + limits.staleWriteWindow ? .staleWrite : .revert
    }

    /// Whether `value` is what this process wrote last at a path.
    func isLastWritten(_ value: JSON?, at path: JSONPointer) -> Bool {
        paths[PathHash(path)].map { $0.latest == ValueHash(value, at: path) } ?? false
    }

    private mutating func add(_ write: Write, at moment: Instant) {
        var value = overwritten[write.old] ?? OverwrittenValue(time: moment, times: 0, mayBeRestored: true)
        if value.time + limits.staleWriteWindow <= moment { value.mayBeRestored = true }
        (value.time, value.times) = (moment, value.times + 1)
        overwritten[write.old] = value
        let count = paths[write.path]?.count ?? 0
        paths[write.path] = WrittenPath(latest: write.new, count: count + 1)
        entries.append(LogEntry(path: write.path, value: write.old, time: moment))
        if self.count > limits.capacity { removeOldest() }
    }

    private mutating func removeExpired(at moment: Instant) {
        while front < entries.count, entries[front].time + limits.retention <= moment { removeOldest() }
    }

    private mutating func removeOldest() {
        let entry = entries[front]
        front += 1
        overwritten[entry.value]?.times -= 1
        if overwritten[entry.value]?.times == 0 { overwritten[entry.value] = nil }
        paths[entry.path]?.count -= 1
        if paths[entry.path]?.count == 0 { paths[entry.path] = nil }
        if front > 1_024, front * 2 > entries.count {
            entries.removeFirst(front)
            front = 0
        }
    }
}

extension OwnWriteLog {
    /// An addition to the log. The log may be large, so it is mutated in place, under the lock of the state. Hashing
    /// takes long, so it is done earlier, when the record is created.
    enum Record: Sendable {
        /// A save overwrote values.
        case writes([Write], at: Instant)
        /// A reverted value was restored. If it is reverted again, it is not restored again.
        case restored(ValueHash, at: Instant)

        static func restored(_ path: JSONPointer, from value: JSON?, at moment: Instant) -> Record {
            .restored(ValueHash(value, at: path), at: moment)
        }
    }

    /// A value that overwrote another.
    struct Write: Sendable {
        let path: PathHash
        let old: ValueHash
        let new: ValueHash

        init(_ change: ValueChange) {
            path = PathHash(change.path)
            old = ValueHash(change.old, at: change.path)
            new = ValueHash(change.new, at: change.path, since: change.old)
        }
    }

    /// The hash of a path. Hashes are seeded per process, so that nobody can construct collisions.
    struct PathHash: Hashable, Sendable {
        private let bits: Int

        init(_ path: JSONPointer) { bits = path.hashValue }
    }

    /// The hash of a path and the value there, or of its absence.
    struct ValueHash: Hashable, Sendable {
        private let bits: Int

        /// - Parameter old: A value that may have been hashed before, and with which `value` shares elements.
        init(_ value: JSON?, at path: JSONPointer, since old: JSON? = nil) {
            var hasher = Hasher()
            hasher.combine(path)
            if let hash = value?.array?.hash(.seeded, since: old?.array, Self.bits) {
                hasher.combine(hash)
            } else {
                hasher.combine(value)
            }
            bits = hasher.finalize()
        }

        private static func bits(_ element: JSON) -> UInt64 { UInt64(bitPattern: Int64(element.hashValue)) }
    }
}
