/// The names that types ask for while they decode a value, and the traces of its members and elements.
final class KeyTrace {
    /// Whether a type asks for members at all.
    var isKeyed = false
    /// Whether a type takes each member, such as a dictionary.
    var takesAllKeys = false
    /// Whether a type takes the value as a whole, such as `JSON`.
    var takesValue = false
    private var asked: Set<ByteKey> = []
    /// The names in `asked`, in the order of the requests.
    private var names: [String] = []
    private var children: [ByteKey: KeyTrace] = [:]

    func ask(for name: String) {
        if asked.insert(ByteKey(Text(name))).inserted { names.append(name) }
    }

    /// The trace of a member or an element, created if necessary.
    func child(_ token: String) -> KeyTrace {
        let key = ByteKey(Text(token))
        if let child = children[key] { return child }
        let child = KeyTrace()
        children[key] = child
        return child
    }

    /// Adds the trace of another decoding of the same value.
    func merge(_ other: KeyTrace) {
        isKeyed = isKeyed || other.isKeyed
        takesAllKeys = takesAllKeys || other.takesAllKeys
        takesValue = takesValue || other.takesValue
        for name in other.names { ask(for: name) }
        for (key, child) in other.children {
            if let mine = children[key] { mine.merge(child) } else { children[key] = child }
        }
    }
}

/// Finds the unknown keys of a decoded value in the order of the text.
struct UnknownKeySearch {
    /// The maximum number of keys to find.
    static let limit = 100
    /// The maximum number of names to compare with an unknown key.
    static let nameLimit = 256

    private(set) var found: [JSONUnknownKey] = []
    private var path: [String] = []

    init(of trace: KeyTrace, in json: JSON) { visit(json, trace) }

    private mutating func visit(_ json: JSON, _ trace: KeyTrace) {
        if trace.takesValue { return }
        switch json {
        case .object(let members): visit(members, trace)
        case .array(let elements):
            guard trace.hasChildren else { return }
            for (index, element) in elements.enumerated() where found.count < UnknownKeySearch.limit {
                visitChild(String(index), element, trace)
            }
        default: return
        }
    }

    private mutating func visit(_ members: JSONObject, _ trace: KeyTrace) {
        var candidates: [String]?
        for (name, value) in members {
            if found.count == UnknownKeySearch.limit { return }
            guard trace.isUnknown(name) else {
                visitChild(name, value, trace)
                continue
            }
            let known = candidates ?? trace.names(absentFrom: members, upTo: UnknownKeySearch.nameLimit)
            candidates = known
            let suggestion = NearestName(to: name).among(known, limit: 1).first
            found.append(JSONUnknownKey(path: JSONPointer(path + [name]), suggestion: suggestion))
        }
    }

    private mutating func visitChild(_ token: String, _ value: JSON, _ trace: KeyTrace) {
        guard value.isContainer, let child = trace.existingChild(token) else { return }
        path.append(token)
        visit(value, child)
        path.removeLast()
    }
}

extension KeyTrace {
    fileprivate var hasChildren: Bool { !children.isEmpty }

    fileprivate func existingChild(_ token: String) -> KeyTrace? { children[ByteKey(Text(token))] }

    fileprivate func isUnknown(_ name: String) -> Bool {
        isKeyed && !takesAllKeys && !asked.contains(ByteKey(Text(name)))
    }

    fileprivate func names(absentFrom members: JSONObject, upTo limit: Int) -> [String] {
        Array(names.lazy.filter { members[$0] == nil }.prefix(limit))
    }
}
