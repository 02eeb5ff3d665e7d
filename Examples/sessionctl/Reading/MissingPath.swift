import LosslessJSON

/// Describes why there is no value at a path: how far the path leads, and which value is there.
struct MissingPath: CustomStringConvertible {
    let description: String

    private static let longestKey = 60

    /// Describes a path without a value in `root`.
    init(_ path: JSONPointer, in root: JSON) {
        let walked = path.splittingSubscriptsOutOfRange(in: root) ?? path
        var here = root
        var depth = 0
        while depth < walked.tokens.count, let next = here[at: JSONPointer([walked.tokens[depth]])] {
            here = next
            depth += 1
        }
        let place = depth == 0 ? "the root" : MissingPath.text(JSONPointer(Array(walked.tokens.prefix(depth))))
        let missing = depth < walked.tokens.count ? walked.tokens[depth] : ""
        let likely = path.likelyMeanings.first { root[at: $0] != nil } ?? path.joiningDottedKeys(in: root)
        let meant = likely.map { $0.isRoot ? "; for the whole value, write ''" : "; write \($0.title)" }
        description =
            "no value at \(MissingPath.text(path)): \(place) is \(MissingPath.describe(here, without: missing))\(meant ?? "")"
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

extension JSONPointer {
    /// The path with subscripts as tokens, if the last one is out of the range of its array.
    fileprivate func splittingSubscriptsOutOfRange(in root: JSON) -> JSONPointer? {
        guard let meant = splittingSubscripts, root[at: meant] == nil,
            root[at: JSONPointer(Array(meant.tokens.dropLast()))]?.array != nil
        else { return nil }
        return meant
    }

    /// What the path means if it is written as in other tools: `hosts[0]`, `http/port`, `$.http.port`.
    fileprivate var likelyMeanings: [JSONPointer] {
        let withoutRoot = tokens.first == "$" ? Array(tokens.dropFirst()) : tokens
        let names = withoutRoot.flatMap { $0.split(separator: "/").map(String.init) }
        let path = JSONPointer(names)
        return [splittingSubscripts, path, path.splittingSubscripts].compactMap { $0 }
    }

    /// The path of a value whose keys have dots, if they are written without a form that allows it: `hosts.example.org`,
    /// or with the quotes of jq, `hosts."example.org"` and `hosts["example.org"]`; nil if there is no such value.
    func joiningDottedKeys(in root: JSON) -> JSONPointer? {
        let text = tokens.joined(separator: ".").replacing("[\"", with: ".").replacing("\"]", with: "")
        let names = text.replacing("\"", with: "").split(separator: ".").map(String.init)
        return names.count > 64 ? nil : JSONPointer.joining(names[...], in: root)
    }

    private static func joining(_ names: ArraySlice<String>, in value: JSON) -> JSONPointer? {
        if names.isEmpty { return JSONPointer() }
        for count in 1...names.count {
            let token = names.prefix(count).joined(separator: ".")
            guard let next = value[at: JSONPointer([token])] else { continue }
            if let rest = joining(names.dropFirst(count), in: next) { return JSONPointer([token] + rest.tokens) }
        }
        return nil
    }
}
