/// The coding path of a coder, as a linked list that is converted to an array only on demand.
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

/// A coding key for any name or index.
enum AnyCodingKey: CodingKey {
    case name(String)
    case index(Int)
    /// A name that is also a number.
    case both(String, Int)

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .index(intValue) }
    /// Creates a key that is also a number, if it looks like one.
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
