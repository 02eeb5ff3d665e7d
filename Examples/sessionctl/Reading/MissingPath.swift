import LosslessJSON

/// Describes why there is no value at a path: how far the path leads, and which value is there.
struct MissingPath: CustomStringConvertible {
    let description: String

    private static let longestKey = 60

    /// Describes a path without a value in `root`.
    init(_ path: JSONPointer, in root: JSON) {
        var here = root
        var depth = 0
        while depth < path.tokens.count, let next = here[at: JSONPointer([path.tokens[depth]])] {
            here = next
            depth += 1
        }
        let place = depth == 0 ? "the root" : MissingPath.text(JSONPointer(Array(path.tokens.prefix(depth))))
        let missing = depth < path.tokens.count ? path.tokens[depth] : ""
        let meant = path.splittingSubscripts.map { root[at: $0] == nil ? "" : "; write \($0.title)" } ?? ""
        description =
            "no value at \(MissingPath.text(path)): \(place) is \(MissingPath.describe(here, without: missing))\(meant)"
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

    /// The keys similar to a name, or else the first five.
    private static func keys(of object: JSONObject, near name: String) -> String {
        let near = NearestName(to: name).among(object.keys, limit: 3)
        if !near.isEmpty { return "nearest: \(near.map(text).joined(separator: ", "))" }
        let some = object.keys.prefix(5).map(text).joined(separator: ", ")
        return object.count > 5 ? "its \(object.count) keys begin with: \(some)" : "its keys: \(some)"
    }

    private static func text(_ path: JSONPointer) -> String { path.inMessage }

    private static func text(_ key: String) -> String {
        JSON(key).text(upTo: longestKey)
    }
}
