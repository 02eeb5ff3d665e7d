internal import DurableFiles
internal import Locking

// Removing what is over the limit.
extension ObjectStore {
    /// The bytes and objects that this process may save before it checks the limits again. Zero at first: the size of
    /// the store is unknown.
    struct Cleaning {
        var bytes = 0
        var count = 0
        /// The time of the next check of the age.
        var next = Instant(nanoseconds: 0)
        var isRunning = false
        /// How often cleaning has failed in succession.
        var failures = 0

        mutating func begin(afterSaving saved: Int?) -> Bool {
            bytes -= saved ?? 0
            count -= saved == nil ? 0 : 1
            guard bytes < 0 || count < 0 || next <= .now, !isRunning else { return false }
            // Counts what is saved while cleaning runs.
            (bytes, count, isRunning) = (0, 0, true)
            return true
        }

        /// - Parameters:
        ///   - rest: The free space.
        ///   - hasFailed: Whether a shard could not be cleaned, which does not fail the save.
        mutating func end(_ rest: (bytes: Int, count: Int), _ limit: Limit, hasFailed: Bool) {
            isRunning = false
            failures = hasFailed ? failures + 1 : 0
            // Cleaning again would free no space: wait for 1, 2, 4 s, and so on, up to about a minute.
            if hasFailed, rest.bytes < 0 || rest.count < 0 {
                (bytes, count, next) = (.max, .max, .now + .seconds(1 << min(failures - 1, 6)))
                return
            }
            bytes = limit.bytes == nil ? .max : rest.bytes + bytes
            count = limit.count == nil ? .max : rest.count + count
            next = limit.age.map { .now + max($0 / 10, .seconds(1)) } ?? .distantFuture
        }
    }

    /// An object, and the status of its file.
    private struct UsedObject {
        let shard: Shard
        let identifier: String
        let name: ObjectName
        let status: EntryStatus
    }

    /// - Parameters:
    ///   - bytes: The size of the file that was written; nil if it had the contents already.
    ///   - saved: The name of the file, which stays.
    func cleanIfDue(afterSaving bytes: Int?, in saved: ObjectName) {
        guard !limit.isNone, cleaning.withLock({ $0.begin(afterSaving: bytes) }) else { return }
        let (bytes, count, hasFailed) = removeOverLimit(keeping: saved)
        cleaning.withLock { $0.end((bytes, count), limit, hasFailed: hasFailed) }
    }

    /// Removes the objects past their age and, if less than a twentieth of a limit is free, the least recently used
    /// ones until a tenth is free. Skips shards where that fails: `repair` throws their errors. Returns the free space.
    private func removeOverLimit(keeping saved: ObjectName) -> (bytes: Int, count: Int, hasFailed: Bool) {
        var (objects, hasFailed): ([UsedObject], Bool) = ([], false)
        for number in 0..<Shard.count {
            do throws(ObjectStoreError) {
                guard let shard = try shard(number, isCreated: false) else { continue }
                objects += try usedObjects(in: shard)
                _ = try shard.repairOrphans(olderThan: Self.gracePeriod, isDiscarding: true)
            } catch {
                hasFailed = true
            }
        }
        var obsolete: [UsedObject] = []
        if let age = limit.age {
            let end = objects.partition { $0.status.age > age }
            obsolete += objects[end...]
            objects.removeSubrange(end...)
        }
        objects.sort { $0.name == saved || $1.name != saved && $0.status.used > $1.status.used }
        let (mostBytes, mostCount) = (limit.bytes ?? .max, limit.count ?? .max)
        // One object at least, so that not each save cleans.
        let countAfter = mostCount - max(mostCount / 10, 1)
        var bytes = objects.reduce(0) { $0 + $1.status.size }
        if bytes > mostBytes - mostBytes / 20 || objects.count > mostCount - mostCount / 20 {
            while objects.count > 1, bytes > mostBytes - mostBytes / 10 || objects.count > countAfter {
                let last = objects.removeLast()
                bytes -= last.status.size
                obsolete.append(last)
            }
        }
        var failedCount = 0
        for (_, group) in Dictionary(grouping: obsolete, by: \.shard.path) {
            let uses = Dictionary(group.map { ($0.name, $0.status.used) }, uniquingKeysWith: { first, _ in first })
            do throws(ObjectStoreError) {
                try group[0].shard.remove(group.map(\.identifier), unusedSince: uses)
            } catch {
                hasFailed = true
                bytes += group.reduce(0) { $0 + $1.status.size }
                failedCount += group.count
            }
        }
        return (mostBytes - bytes, mostCount - objects.count - failedCount, hasFailed)
    }

    private func usedObjects(in shard: Shard) throws(ObjectStoreError) -> [UsedObject] {
        let identifiers = Dictionary(shard.files.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        let statuses = try shard.withStoreError { () throws(FileError) in
            try shard.objects.statuses(of: identifiers.keys)
        }
        return statuses.map {
            let (identifier, name) = identifiers[$0.name]!  // one of the names asked for
            return UsedObject(shard: shard, identifier: identifier, name: name, status: $0)
        }
    }
}
