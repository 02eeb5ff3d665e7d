import LosslessJSON

/// Puts into one line why there is nothing at a path: how far it goes, and what is there instead.
struct MissingPath: CustomStringConvertible {
    let description: String

    private static let longestKey = 60
    private static let longestPath = 200

    /// A path that leads nowhere in `root`.
    init(_ path: JSONPointer, in root: JSON) {
        var here = root
        var depth = 0
        while depth < path.tokens.count, let next = here[at: JSONPointer([path.tokens[depth]])] {
            here = next
            depth += 1
        }
        let place = depth == 0 ? "the root" : MissingPath.text(JSONPointer(Array(path.tokens.prefix(depth))))
        let missing = depth < path.tokens.count ? path.tokens[depth] : ""
        description =
            "no value at \(MissingPath.text(path)): \(place) is \(MissingPath.describe(here, without: missing))"
    }

    private static func describe(_ value: JSON, without token: String) -> String {
        switch value {
        case .object(let object) where object.isEmpty: "an empty object"
        case .object(let object): "an object without the key \(text(token)); \(keys(of: object, near: token))"
        case .array(let array) where array.isEmpty: "an empty array"
        case .array(let array) where array.count == 1: "an array of 1 element, 0"
        case .array(let array): "an array of \(array.count) elements, 0 to \(array.count - 1)"
        default: value.kind
        }
    }

    /// The keys that resemble a name, or else the first few.
    private static func keys(of object: JSONObject, near name: String) -> String {
        let near = Nearest(to: name).among(object.keys, limit: 3)
        if !near.isEmpty { return "nearest: \(near.map(text).joined(separator: ", "))" }
        let some = object.keys.prefix(5).map(text).joined(separator: ", ")
        return object.count > 5 ? "its \(object.count) keys begin with: \(some)" : "its keys: \(some)"
    }

    private static func text(_ path: JSONPointer) -> String { path.dotted.shortened(to: longestPath).visible }

    private static func text(_ key: String) -> String {
        JSONPrinter(layout: .compact).string(JSON(key.shortened(to: longestKey))).visible
    }
}
