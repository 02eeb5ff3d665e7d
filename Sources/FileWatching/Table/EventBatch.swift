/// Identifies a watched path.
struct PathID: Hashable, Sendable {
    let number: Int
}

/// A set of paths. Most sets have one member, which is stored without an allocation.
struct PathSet {
    private enum Storage {
        case one(PathID)
        case many(Set<PathID>)
    }

    private var storage: Storage?

    var isEmpty: Bool { storage == nil }

    mutating func insert(_ path: PathID) {
        switch storage {
        case nil: storage = .one(path)
        case .one(let other): if other != path { storage = .many([other, path]) }
        case .many(var set):
            storage = nil  // so that the set is not copied
            set.insert(path)
            storage = .many(set)
        }
    }

    mutating func remove(_ path: PathID) {
        switch storage {
        case nil: break
        case .one(let other): if other == path { storage = nil }
        case .many(var set):
            storage = nil
            set.remove(path)
            storage = set.isEmpty ? nil : .many(set)
        }
    }

    func visit(_ body: (PathID) -> Void) {
        switch storage {
        case nil: break
        case .one(let path): body(path)
        case .many(let set): for path in set { body(path) }
        }
    }
}

/// What a batch of events means for the watched paths. Each path occurs once, in the order of its first event.
struct EventBatch {
    struct PathChange: Equatable {
        let path: PathID
        /// Whether something happened to the file itself or to its name, so that its content may have changed.
        var isDirect: Bool
        /// Whether the path may lead elsewhere now.
        var needsRearm: Bool
    }

    private(set) var changes: [PathChange] = []
    /// The index of each change; empty while there are so few that comparing all of them is cheaper.
    private var indices: [PathID: Int] = [:]
    /// Whether the set of watches is no longer known, so that all paths must be armed again and reported as changed.
    var needsRestart = false
    /// Whether a watched directory was renamed. Mounts below it move with it without any other event.
    var hasMovedDirectory = false
    /// The number of times that the kernel dropped events.
    var overflows = 0

    mutating func add(_ path: PathID, isDirect: Bool, needsRearm: Bool) {
        if let index = index(of: path) {
            changes[index].isDirect = changes[index].isDirect || isDirect
            changes[index].needsRearm = changes[index].needsRearm || needsRearm
        } else {
            changes.append(PathChange(path: path, isDirect: isDirect, needsRearm: needsRearm))
            if !indices.isEmpty {
                indices[path] = changes.count - 1
            } else if changes.count == Self.smallestIndexed {
                for (index, change) in changes.enumerated() { indices[change.path] = index }
            }
        }
    }

    private func index(of path: PathID) -> Int? {
        indices.isEmpty ? changes.firstIndex { $0.path == path } : indices[path]
    }

    /// An event of a file concerns one path, so most batches are smaller.
    private static let smallestIndexed = 16
}
