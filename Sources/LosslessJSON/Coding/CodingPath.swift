/// Where a coder is. Paths are turned into arrays only when somebody asks.
final class CodingPath {
    private let parent: CodingPath?
    private let key: any CodingKey

    init(_ parent: CodingPath?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
    }

    static func keys(of path: CodingPath?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var here = path
        while let step = here {
            keys.append(step.key)
            here = step.parent
        }
        return keys.reversed()
    }
}

/// A key of a path, or an index.
enum PathKey: CodingKey {
    case name(String)
    case index(Int)
    /// A name that is a number as well.
    case both(String, Int)

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .index(intValue) }
    /// A key that is a number as well, if it looks like one.
    init(either key: String) { self = Int(key).map { .both(key, $0) } ?? .name(key) }
    init(_ key: String) { self = .name(key) }
    init(_ index: Int) { self = .index(index) }

    var stringValue: String {
        switch self {
        case .name(let name), .both(let name, _): name
        case .index(let index): String(index)
        }
    }

    var intValue: Int? {
        switch self {
        case .name: nil
        case .index(let index), .both(_, let index): index
        }
    }

    static let parent = PathKey("super")
}

extension JSONPointer {
    init(_ path: [any CodingKey]) { self.init(path.map(\.stringValue)) }
}

/// What a coder's own errors carry inside Swift's, so that the words for people survive.
struct Complaint: Error {
    let code: JSONCodingError.Code
    let text: String
}
