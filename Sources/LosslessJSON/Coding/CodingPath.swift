/// A step of the coding path of a coder. The path is a linked list that is converted to an array only on demand.
class CodingPath {
    // Not checked for exclusive access at run time: no access calls other code.
    @exclusivity(unchecked) private final var parent: CodingPath?
    @exclusivity(unchecked) private final var key: any CodingKey
    /// Whether this has a key; if not, it is the same place as the parent, or the root.
    @exclusivity(unchecked) private final var hasKey: Bool
    /// In a collection that is here, the index or the name of the element that is being encoded. It changes with each
    /// element, so that a path that is kept must be a copy: see ``keep()``.
    @exclusivity(unchecked) private final var index: Int?
    @exclusivity(unchecked) private final var name: Text?

    init(_ parent: CodingPath?, _ key: any CodingKey) { (self.parent, self.key, hasKey) = (parent, key, true) }

    /// The place at `key` in `parent`; without a key, `parent` itself.
    init(at parent: CodingPath?, _ key: (any CodingKey)?) {
        (self.parent, self.key, hasKey) = (parent, key ?? AnyCodingKey.parent, key != nil)
    }

    /// Makes this a step of another path. Only for steps that nothing refers to.
    final func move(to parent: CodingPath?, _ key: (any CodingKey)?) {
        self.parent = parent
        // An element has no key here, and unlike `if let`, this does not copy it.
        hasKey = key != nil
        if hasKey { self.key = key! }
    }

    /// Makes this a path by itself, without a key.
    final func leave() { (parent, hasKey) = (nil, false) }

    /// Goes on to an element of an array that is here.
    final func move(toElement index: Int) { self.index = index }

    /// Goes on to a member of an object that is here.
    final func move(toMember name: Text) { self.name = name }

    /// Makes this path independent of those that it is part of, which change.
    final func keep() {
        let path = CodingPath.keys(of: self).reduce(nil) { CodingPath($0, $1) }
        (parent, hasKey, index, name) = (path, false, nil, nil)
    }

    /// The keys of a path, and one after them.
    static func keys(of path: CodingPath?, _ last: (any CodingKey)? = nil) -> [any CodingKey] {
        var keys = [last].compactMap(\.self)
        var here = path
        while let step = here {
            if let index = step.index { keys.append(AnyCodingKey(index)) }
            if let name = step.name { keys.append(AnyCodingKey(name)) }
            if step.hasKey { keys.append(step.key) }
            here = step.parent
        }
        return keys.reversed()
    }
}

/// A coding key for any name or index.
enum AnyCodingKey: CodingKey {
    case name(String)
    /// A name that is converted to a string only on demand.
    case text(Text)
    case index(Int)
    /// A name that is also a number. Indirect, because a larger key would need an allocation wherever it is
    /// `any CodingKey`.
    indirect case both(String, Int)

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .index(intValue) }
    /// Creates a key that is also a number, if it looks like one.
    init(either key: String) { self = Int(key).map { .both(key, $0) } ?? .name(key) }
    init(_ key: String) { self = .name(key) }
    init(_ key: Text) { self = .text(key) }
    init(_ index: Int) { self = .index(index) }

    var stringValue: String {
        switch self {
        case .name(let name), .both(let name, _): name
        case .text(let text): text.string
        case .index(let index): String(index)
        }
    }

    var intValue: Int? {
        switch self {
        case .name, .text: nil
        case .index(let index), .both(_, let index): index
        }
    }

    static let parent = AnyCodingKey("super")
}

extension JSONPointer {
    init(_ path: [any CodingKey]) { self.init(path.map(\.stringValue)) }
}

/// The code and message of a ``JSONCodingError``, carried inside Swift's own error.
struct CodingErrorDetail: Error {
    let code: JSONCodingError.Code
    let message: String
}
