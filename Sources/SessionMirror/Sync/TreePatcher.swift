internal import LosslessJSON

/// Applies a change of the encoded value to the tree of the file.
///
/// The tree may lack members of the value, which then have their defaults, and may have members that the type does not
/// know. Walks all three trees in step.
struct TreePatcher {
    /// The paths of objects that the tree lacked and that now have some of their members.
    private(set) var createdObjects: [JSONPointer] = []
    /// The paths of durations that are written as numbers, because the tree has numbers there.
    private(set) var numericDurations: [JSONPointer] = []
    private var path: [String] = []

    /// Returns the tree with the change from `before` to `after` applied; nil if there is still no value.
    mutating func patched(_ tree: JSON?, from before: JSON, to after: JSON) -> JSON? {
        if case (.object(let before), .object(let after), .object(let tree)) = (before, after, tree) {
            return .object(patched(tree, from: before, to: after))
        }
        if before.isSame(as: after) { return tree }
        if case (.array(let before), .array(let after), .array(let tree)) = (before, after, tree),
            tree.count == before.count
        {
            return .array(patched(tree, from: before, to: after))
        }
        if let seconds = after.asSeconds(replacing: before, found: tree) {
            numericDurations.append(JSONPointer(path))
            return seconds
        }
        guard case (.object(let before), .object(let after), nil) = (before, after, tree) else { return after }
        createdObjects.append(JSONPointer(path))
        return .object(patched(JSONObject(), from: before, to: after))
    }

    private mutating func patched(_ tree: JSONObject, from before: JSONObject, to after: JSONObject) -> JSONObject {
        var result = tree
        for (key, old, value) in before.differences(to: after) {
            guard let old, let value else {
                result[key] = value
                continue
            }
            path.append(key)
            defer { path.removeLast() }
            let found = tree[key]
            guard let member = patched(found, from: old, to: value) else { continue }
            // Replacing a member by itself would copy the path to it in a large object.
            if found?.isIdentical(to: member) != true { result[key] = member }
        }
        return result
    }

    /// Elements that remain keep the members that the type does not know.
    private mutating func patched(_ tree: JSONArray, from before: JSONArray, to after: JSONArray) -> JSONArray {
        guard after.count == before.count else { return resized(tree, from: before, to: after) }
        var changes: [(index: Int, element: JSON)] = []
        for (index, old, value) in before.differences(to: after) {
            path.append(String(index))
            defer { path.removeLast() }
            let element = patched(tree[index], from: old, to: value) ?? value
            if !element.isIdentical(to: tree[index]) { changes.append((index, element)) }
        }
        return tree.replacing(changes)
    }

    private func resized(_ tree: JSONArray, from before: JSONArray, to after: JSONArray) -> JSONArray {
        let changes = JSON.array(after).difference(from: .array(before))
        guard changes.allSatisfy({ $0.path.tokens.count == 1 }),
            let result = try? JSON.array(tree).applying(changes).array
        else { return after }
        return result
    }
}
