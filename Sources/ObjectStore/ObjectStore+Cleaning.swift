internal import DurableFiles
internal import Locking

// Removing what is over the limit.
extension ObjectStore {
    /// What this process may still save before it looks through the store. Nothing at first: the store is not known yet.
    struct Cleaning {
        var bytes = 0
        var count = 0
        /// When objects may be past their age again.
        var next = Instant(nanoseconds: 0)
        var isRunning = false

        mutating func begin(afterSaving saved: Int) -> Bool {
            bytes -= saved
            count -= 1
            guard bytes < 0 || count < 0 || next <= .now, !isRunning else { return false }
            isRunning = true
            return true
        }
    }

    /// An object, and the use of its file.
    private struct UsedObject {
        let shard: Shard
        let identifier: String
        let name: ObjectName
        let use: FileUse
    }

    func cleanIfDue(afterSaving bytes: Int) {
        guard !limit.isNone, cleaning.withLock({ $0.begin(afterSaving: bytes) }) else { return }
        // A failure is no failure of the object that was saved; the next one tries again.
        let rest = (try? removeOverLimit()) ?? (bytes: 0, count: 0)
        cleaning.withLock {
            $0 = Cleaning(
                bytes: limit.bytes == nil ? .max : rest.bytes, count: limit.count == nil ? .max : rest.count,
                next: limit.age.map { .now + $0 / 10 } ?? .distantFuture)
        }
    }

    /// Removes the objects past their age, and those that were not used for longest until a tenth of the limits is free;
    /// returns how much is free.
    private func removeOverLimit() throws(ObjectStoreError) -> (bytes: Int, count: Int) {
        var objects: [UsedObject] = []
        for shard in try allShards() { objects += try usedObjects(in: shard) }
        var obsolete: [UsedObject] = []
        if let age = limit.age {
            let end = objects.partition { $0.use.age > age }
            obsolete += objects[end...]
            objects.removeSubrange(end...)
        }
        objects.sort { $0.use.used > $1.use.used }
        let (mostBytes, mostCount) = (limit.bytes ?? .max, limit.count ?? .max)
        var bytes = objects.reduce(0) { $0 + $1.use.size }
        if bytes > mostBytes || objects.count > mostCount {
            while bytes > mostBytes - mostBytes / 10 || objects.count > mostCount - mostCount / 10,
                let last = objects.popLast()
            {
                bytes -= last.use.size
                obsolete.append(last)
            }
        }
        for (_, group) in Dictionary(grouping: obsolete, by: \.shard.path) {
            try group[0].shard.remove(group.map(\.identifier), onlyFiles: Set(group.map(\.name)))
        }
        return (mostBytes - bytes, mostCount - objects.count)
    }

    private func usedObjects(in shard: Shard) throws(ObjectStoreError) -> [UsedObject] {
        let identifiers = Dictionary(shard.files.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        let uses = try shard.withStoreError { () throws(FileError) in try shard.directory.uses(of: identifiers.keys) }
        return uses.map {
            let (identifier, name) = identifiers[$0.name]!  // one of the names asked for
            return UsedObject(shard: shard, identifier: identifier, name: name, use: $0)
        }
    }
}
