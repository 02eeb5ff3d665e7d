/// What becomes of one value of a text. Where there is none, the value stays.
///
/// A revision knows what of the text stays, which a new value alone does not tell: which elements of an array are the
/// old ones. The new text and the new value are both made from it, so that they cannot disagree.
///
/// It is built by one call and then only read. Revisions of containers are objects, so that each of many changes to one
/// container is made in place.
enum Revision {
    /// Another value takes the place.
    case fresh(JSON)
    /// The object stays, its members do not.
    case object(ObjectRevision)
    /// The array stays, its elements do not.
    case array(ArrayRevision)

    /// From one value to another, by the smallest changes; nil when they are equal.
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
            self = .fresh(new)
        }
    }

    /// What `original` becomes.
    func applied(to original: JSON) -> JSON {
        switch self {
        case .fresh(let value): value
        case .object(let revision): .object(revision.members)
        case .array(let revision): .array(revision.elements)
        }
    }
}

extension Revision? {
    /// Makes a change, which is about a place below `original`, after those made before.
    mutating func apply(_ step: Step, to original: JSON) throws(JSONEditError) {
        guard let token = step.token else {
            guard let new = step.change.new else { throw step.error(.root) }
            self = Revision(from: original, to: new)
            return
        }
        if case .fresh(let value) = self {  // nothing of this is in the text yet
            self = .fresh(try value.applying(step))
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
    /// The value with a change made, which is about a place below it.
    func applying(_ step: Step) throws(JSONEditError) -> JSON {
        var revision: Revision?
        try revision.apply(step, to: self)
        return revision?.applied(to: self) ?? self
    }
}

/// A change on the way down to its place.
struct Step {
    let change: JSONChange
    private var depth = 0

    init(_ change: JSONChange) { self.change = change }

    /// The next key or index; nil when the place is reached.
    var token: String? { isAtEnd ? nil : change.path.tokens[depth] }
    var isAtEnd: Bool { depth == change.path.tokens.count }

    var next: Step {
        var next = self
        next.depth += 1
        return next
    }

    func error(_ code: JSONEditError.Code) -> JSONEditError { JSONEditError(code, change.path) }
}
