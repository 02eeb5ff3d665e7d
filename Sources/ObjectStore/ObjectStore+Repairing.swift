internal import DurableFiles
internal import Glibc

extension ObjectStore {
    /// The minimum age of a file without an entry to be moved away. Another process may be saving a younger one.
    static let gracePeriod = Duration.seconds(60)

    /// Reads all objects, completes the index, and moves files that belong to no entry to `lost+found`.
    ///
    /// Opening the store already completes an index that was removed, emptied or replaced by an older one.
    ///
    /// - Parameter discardingOrphans: Whether to delete files that belong to no entry, and what the store has moved to
    ///   `lost+found`, instead of moving files there.
    /// - Returns: What was found.
    /// - Throws: An ``ObjectStoreError``.
    @discardableResult
    public func repair(discardingOrphans: Bool = false) async throws(ObjectStoreError) -> ObjectStoreRepair {
        try await BlockingWork.run { () throws(ObjectStoreError) in
            try self.repairBlocking(discardingOrphans: discardingOrphans)
        }
    }

    /// Repairs the store as ``repair(discardingOrphans:)`` does, blocking the thread.
    @discardableResult
    public func repairBlocking(discardingOrphans: Bool = false) throws(ObjectStoreError) -> ObjectStoreRepair {
        try repairBlocking(discardingOrphans: discardingOrphans, orphansOlderThan: Self.gracePeriod)
    }

    func repairBlocking(
        discardingOrphans: Bool, orphansOlderThan gracePeriod: Duration
    ) throws(ObjectStoreError) -> ObjectStoreRepair {
        var result = ObjectStoreRepair()
        for shard in try allShards() {
            let found = try shard.repair(orphansOlderThan: gracePeriod, isDiscarding: discardingOrphans)
            result.recovered += found.recovered
            result.missing += found.missing
            result.damaged += found.damaged
            result.orphans += found.orphans
        }
        if discardingOrphans {
            do throws(FileError) { result.orphans += try removeLostFiles() } catch {
                throw ObjectStoreError(error, nil)
            }
        }
        return result
    }

    /// Deletes what stores have moved to `lost+found`, and then the directory if it is empty. Returns the former paths.
    /// The directory at the top of a file system may belong to fsck, and stays.
    private func removeLostFiles() throws(FileError) -> [String] {
        let directory = Shard.lostAndFound(of: path)
        let names = try directory.names().filter(Shard.isLostName)
        try directory.removeFiles(names, isDurable: false)
        let paths = names.map { "\(directory.path)/\($0)" }
        var (store, parent) = (stat(), stat())
        guard stat(path, &store) == 0, stat("\(path)/..", &parent) == 0, store.st_dev == parent.st_dev else {
            return paths
        }
        try directory.removeIfEmpty()
        return paths
    }
}
