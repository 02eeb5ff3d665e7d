import LosslessJSON

/// The recent changes of a file, by path, for a few seconds.
///
/// Keeps two generations and drops the older one as a whole, so that neither time nor memory is needed to forget
/// single changes.
struct Highlights {
    typealias Instant = ContinuousClock.Instant

    /// How long a change is highlighted.
    static let duration = Duration.seconds(3)

    /// A recent change at a path, or below it.
    fileprivate struct Node {
        var own: (kind: JSONChange.Kind, time: Instant)?
        /// When something below has changed.
        var below: Instant?
        var children: [MemberKey: Node] = [:]

        mutating func add(_ kind: JSONChange.Kind, at path: ArraySlice<String>, _ time: Instant) {
            guard let first = path.first else {
                own = (kind, time)
                return
            }
            below = time
            children[MemberKey(first), default: Node()].add(kind, at: path.dropFirst(), time)
        }
    }

    private var recent = Node()
    private var earlier = Node()
    private var start: Instant?

    mutating func add(_ change: JSONChange, at time: Instant) {
        if start.map({ time - $0 >= Self.duration }) ?? true { (earlier, recent, start) = (recent, Node(), time) }
        recent.add(change.kind, at: change.path.tokens[...], time)
    }

    /// What is highlighted of a value, and until when.
    struct Found: Equatable {
        /// The change of the value itself or of a container around it; nil for none.
        var kind: JSONChange.Kind?
        var isChangedBelow = false
        /// The keys of members that were removed, and are not in the value.
        var removed: [String] = []
        /// When this looks different; nil for never.
        var end: Instant?
    }

    /// - Parameter value: The value at the path; nil for none.
    func found(at path: [String], _ value: JSON?, now: Instant) -> Found {
        var found = Found()
        for root in [earlier, recent] { root.find(path[...], value, now, &found) }
        found.removed.sort()
        return found
    }
}

extension Highlights.Node {
    fileprivate func find(
        _ path: ArraySlice<String>, _ value: JSON?, _ now: Highlights.Instant, _ found: inout Highlights.Found
    ) {
        if let own, own.kind != .removed || value == nil, isCurrent(own.time, now, &found) { found.kind = own.kind }
        if let first = path.first {
            children[MemberKey(first)]?.find(path.dropFirst(), value, now, &found)
            return
        }
        guard let below, isCurrent(below, now, &found) else { return }
        found.isChangedBelow = true
        for (key, child) in children {
            guard let own = child.own, own.kind == .removed, value?.child(key.text) == nil,
                isCurrent(own.time, now, &found), !found.removed.contains(key.text)
            else { continue }
            found.removed.append(key.text)
        }
    }

    /// Whether a change is still highlighted; then notes when that ends.
    private func isCurrent(_ time: Highlights.Instant, _ now: Highlights.Instant, _ found: inout Highlights.Found)
        -> Bool
    {
        let end = time + Highlights.duration
        if now >= end { return false }
        found.end = min(found.end ?? end, end)
        return true
    }
}
