internal import LosslessJSON

/// Makes in the tree of a file what was changed in a value, whose form in JSON is known before and after.
///
/// The tree may have less than the value, where defaults stand, and more, where the type does not know a key. A walk
/// down the three in step.
struct TreeChange {
    /// Objects that the tree did not have and that have some of their members now.
    private(set) var begun: [JSONPointer] = []
    private var path: [String] = []

    /// What stands in the tree now; nil when it is nothing.
    mutating func making(_ after: JSON, of before: JSON, in tree: JSON?) -> JSON? {
        if before.isIdentical(to: after) { return tree }
        switch (before, after, tree) {
        case (.object(let before), .object(let after), .object(let tree)):
            return .object(making(after, of: before, in: tree))
        case (.array(let before), .array(let after), .array(let tree)) where tree.count == before.count:
            return .array(making(after, of: before, in: tree))
        default: break
        }
        if before == after { return tree }
        guard case (.object(let before), .object(let after), nil) = (before, after, tree) else { return after }
        begun.append(JSONPointer(path))
        return .object(making(after, of: before, in: JSONObject()))
    }

    private mutating func making(_ after: JSONObject, of before: JSONObject, in tree: JSONObject) -> JSONObject {
        var result = tree
        for key in before.keys where after[key] == nil { result[key] = nil }
        for (key, value) in after {
            path.append(key)
            defer { path.removeLast() }
            guard let old = before[key] else {
                result[key] = value
                continue
            }
            if let made = making(value, of: old, in: result[key]) { result[key] = made }
        }
        return result
    }

    /// Elements that stay keep what the type does not know of them.
    private mutating func making(_ after: JSONArray, of before: JSONArray, in tree: JSONArray) -> JSONArray {
        guard after.count == before.count else { return making(after, longerOrShorterThan: before, in: tree) }
        return JSONArray(
            after.indices.map { index in
                path.append(String(index))
                defer { path.removeLast() }
                return making(after[index], of: before[index], in: tree[index]) ?? after[index]
            })
    }

    private func making(_ after: JSONArray, longerOrShorterThan before: JSONArray, in tree: JSONArray) -> JSONArray {
        let changes = JSON.array(after).difference(from: .array(before))
        guard changes.allSatisfy({ $0.path.tokens.count == 1 }),
            let made = try? JSON.array(tree).applying(changes).array
        else { return after }
        return made
    }
}
