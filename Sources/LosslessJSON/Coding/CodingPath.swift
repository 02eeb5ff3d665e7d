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
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
    /// A key that is a number as well, if it looks like one.
    init(either key: String) { (stringValue, intValue) = (key, Int(key)) }
    init(_ key: String) { self.init(stringValue: key) }
    init(_ index: Int) { self.init(intValue: index) }

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
