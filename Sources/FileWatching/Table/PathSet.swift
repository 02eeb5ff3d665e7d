/// Which of the watched paths.
struct PathID: Hashable, Sendable {
    let number: Int
}

/// A few paths or thousands. Most sets hold one, and that one costs no memory of its own.
struct PathSet {
    private enum Members {
        case one(PathID)
        case many(Set<PathID>)
    }

    private var members: Members?

    var isEmpty: Bool { members == nil }

    mutating func insert(_ path: PathID) {
        switch members {
        case nil: members = .one(path)
        case .one(let other): if other != path { members = .many([other, path]) }
        case .many(var set):
            members = nil  // so that the set is not copied
            set.insert(path)
            members = .many(set)
        }
    }

    mutating func remove(_ path: PathID) {
        switch members {
        case nil: break
        case .one(let other): if other == path { members = nil }
        case .many(var set):
            members = nil
            set.remove(path)
            members = set.isEmpty ? nil : .many(set)
        }
    }

    func visit(_ body: (PathID) -> Void) {
        switch members {
        case nil: break
        case .one(let path): body(path)
        case .many(let set): for path in set { body(path) }
        }
    }
}
