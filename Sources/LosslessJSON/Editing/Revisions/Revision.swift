/// A set of pending changes to one value of a document. An unchanged value has none.
///
/// A revision records which parts of the text remain, such as which elements of an array are the original ones; the new
/// value alone does not tell. Both the new text and the new value derive from the same revision, so they cannot
/// disagree.
///
/// One call builds a revision, after which it is only read. Revisions of containers are classes, so that each of many
/// changes to one container is made in place.
enum Revision {
    /// Replaces the value.
    case replaced(JSON)
    /// Keeps the object and changes its members.
    case object(ObjectRevision)
    /// Keeps the array and changes its elements.
    case array(ArrayRevision)

    /// Creates the smallest revision from `old` to `new`; nil if they are equal.
    init?(from old: JSON, to new: JSON) {
        if old.isIdentical(to: new) { return nil }
        switch (old, new) {
        case (.object(let old), .object(let new)):
            let revision = ObjectRevision(from: old, to: new)
            if revision.isEmpty { return nil }
            self = .object(revision)
        case (.array(let old), .array(let new)):
            let revision = ArrayRevision(from: old, to: new)
            if revision.isEmpty { return nil }
            self = .array(revision)
        default:
            if old == new { return nil }
            self = .replaced(new)
        }
    }

    /// Whether no container of the text gets or loses an item.
    var keepsItems: Bool {
        switch self {
        case .replaced: true
        case .object(let revision): !revision.isStructural && revision.changed.values.allSatisfy(\.keepsItems)
        case .array(let revision): !revision.isStructural && revision.changed.values.allSatisfy(\.keepsItems)
        }
    }

    /// The container that alone gets or loses items, if no other value changes: the positions that lead to it, and how many
    /// items it gets.
    var onlySplice: (path: [Int], growth: Int)? {
        let only: (position: Int, revision: Revision)?
        switch self {
        case .object(let revision) where revision.isStructural:
            guard revision.changed.isEmpty, revision.hasPositionsOfText else { return nil }
            return ([], revision.added.count - revision.removed.count)
        case .object(let revision) where revision.changed.count == 1:
            only = revision.lastPosition.flatMap { last in last.revision.map { (last.position, $0) } }
        case .array(let revision) where revision.isStructural:
            return revision.changed.isEmpty ? ([], revision.count - revision.original.count) : nil
        case .array(let revision) where revision.changed.count == 1:
            only = revision.changed.first.map { ($0.key, $0.value) }
        default: only = nil
        }
        guard let only, let inner = only.revision.onlySplice else { return nil }
        return ([only.position] + inner.path, inner.growth)
    }

    /// The positions in the text that lead to the last item that an edit has to find, or to a container on the way there
    /// whose positions are not those in the text.
    var lastPath: [Int] {
        let last: (position: Int, revision: Revision?)? =
            switch self {
            case .replaced: nil
            case .object(let revision): revision.lastPosition
            case .array(let revision): revision.positions(revision.order).first.map { ($0, revision.changed[$0]) }
            }
        return last.map { [$0.position] + ($0.revision?.lastPath ?? []) } ?? []
    }

    /// Returns `original` with the changes applied.
    ///
    /// - Parameter keepsPositions: Whether the positions of members have to be those in a text.
    func applied(to original: JSON, keepsPositions: Bool) -> JSON {
        switch self {
        case .replaced(let value): value
        case .object(let revision): .object(revision.members(keepsPositions: keepsPositions))
        case .array(let revision): .array(revision.elements(keepsPositions: keepsPositions))
        }
    }
}

extension Revision? {
    /// Adds a change at or below `original` to those already recorded.
    mutating func apply(_ step: ChangeStep, to original: JSON) throws(JSONEditError) {
        guard let token = step.token else {
            guard let new = step.change.new else { throw step.error(.root) }
            self = Revision(from: original, to: new)
            return
        }
        if case .replaced(let value) = self {  // nothing of this is in the text yet
            self = .replaced(try value.applying(step))
            return
        }
        switch original {
        case .object(let object):
            let revision: ObjectRevision
            if case .object(let begun) = self { revision = begun } else { revision = ObjectRevision(object) }
            try revision.apply(step.next, at: Text(token))
            self = revision.isEmpty ? nil : .object(revision)
        case .array(let array):
            let revision: ArrayRevision
            if case .array(let begun) = self { revision = begun } else { revision = ArrayRevision(array) }
            try revision.apply(step.next, at: token)
            self = revision.isEmpty ? nil : .array(revision)
        default: throw step.error(.missing)
        }
    }
}

extension JSON {
    /// Returns the value with a change applied at or below it.
    func applying(_ step: ChangeStep) throws(JSONEditError) -> JSON {
        var revision: Revision?
        try revision.apply(step, to: self)
        return revision?.applied(to: self, keepsPositions: false) ?? self
    }
}

/// A change, together with how much of its path has been followed.
struct ChangeStep {
    let change: JSONChange
    private var depth = 0

    init(_ change: JSONChange) { self.change = change }

    /// The next key or index; nil at the end of the path.
    var token: String? { isAtEnd ? nil : change.path.tokens[depth] }
    var isAtEnd: Bool { depth == change.path.tokens.count }

    var next: ChangeStep {
        var next = self
        next.depth += 1
        return next
    }

    func error(_ code: JSONEditError.Code) -> JSONEditError { JSONEditError(code, change.path) }
}
