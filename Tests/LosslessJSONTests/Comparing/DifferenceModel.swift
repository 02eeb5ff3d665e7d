@testable import LosslessJSON

/// A model of `difference(from:)` that compares everything.
enum DifferenceModel {
    static func changes(_ old: JSON, _ new: JSON, _ path: JSONPointer = JSONPointer()) -> [JSONChange] {
        if let old = old.object, let new = new.object { return changes(old, new, path) }
        if let old = old.array, let new = new.array { return changes(Array(old), Array(new), path) }
        return old == new ? [] : [JSONChange(at: path, from: old, to: new)]
    }

    private static func changes(_ old: JSONObject, _ new: JSONObject, _ path: JSONPointer) -> [JSONChange] {
        var all: [JSONChange] = []
        for (key, before) in old {
            let here = path.appending(key)
            if let now = new[key] {
                all += changes(before, now, here)
            } else {
                all.append(JSONChange(at: here, from: before, to: nil))
            }
        }
        for (key, now) in new where old[key] == Optional.none {
            all.append(JSONChange(at: path.appending(key), from: nil, to: now))
        }
        return all
    }

    private static func changes(_ old: [JSON], _ new: [JSON], _ path: JSONPointer) -> [JSONChange] {
        var (prefix, suffix) = (0, 0)
        if old.count != new.count {
            let shorter = min(old.count, new.count)
            while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
            while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
        }
        let (before, now) = (old.dropLast(suffix).dropFirst(prefix), new.dropLast(suffix).dropFirst(prefix))
        var all: [JSONChange] = []
        if old.count > new.count, let removed = rest(of: before, around: Array(now)) {
            return removed.map { JSONChange(at: path.appending($0), from: old[$0], to: nil) }
        }
        if new.count > old.count, let added = rest(of: now, around: Array(before)) {
            return added.map { JSONChange(at: path.appending($0), from: nil, to: new[$0]) }
        }
        for index in prefix..<prefix + max(before.count, now.count) {
            let here = path.appending(index)
            switch (before.indices.contains(index), now.indices.contains(index)) {
            case (true, true): all += changes(old[index], new[index], here)
            case (true, false): all.append(JSONChange(at: here, from: old[index], to: nil))
            default: all.append(JSONChange(at: here, from: nil, to: new[index]))
            }
        }
        return all
    }

    /// The indices of `whole` that remain after matching `part` greedily; nil if `part` is not a
    /// subsequence.
    private static func rest(of whole: ArraySlice<JSON>, around part: [JSON]) -> [Int]? {
        guard let next = part.first else { return Array(whole.indices) }
        guard let index = whole.firstIndex(of: next) else { return nil }
        return rest(of: whole[(index + 1)...], around: Array(part.dropFirst())).map {
            Array(whole.startIndex..<index) + $0
        }
    }

    /// `value` with one change applied; nil if that is impossible or if the old value does not match.
    static func applying(_ change: JSONChange, to value: JSON, _ depth: Int = 0) -> JSON? {
        guard depth < change.path.tokens.count else { return value == change.old ? change.new : nil }
        let token = change.path.tokens[depth]
        let isLast = depth == change.path.tokens.count - 1
        if var members = value.object {
            if isLast {
                guard members[token] == change.old else { return nil }
                members[token] = change.new
            } else {
                guard let inner = members[token].flatMap({ applying(change, to: $0, depth + 1) }) else { return nil }
                members[token] = inner
            }
            return .object(members)
        }
        guard let array = value.array, let index = Int(token), index <= array.count else { return nil }
        var elements = Array(array)
        if isLast && change.kind == .added {
            elements.insert(change.new!, at: index)
        } else {
            guard index < elements.count else { return nil }
            if isLast && change.kind == .removed {
                guard elements.remove(at: index) == change.old else { return nil }
            } else {
                guard let inner = applying(change, to: elements[index], depth + 1) else { return nil }
                elements[index] = inner
            }
        }
        return .array(JSONArray(elements))
    }

    /// Describes an error in the library's difference; nil if it is correct.
    static func fault(of old: JSON, _ new: JSON) -> String? {
        let found = new.difference(from: old)
        let expected = changes(old, new)
        guard found.count == expected.count, Set(found) == Set(expected) else {
            return "\(found) instead of \(expected)"
        }
        var value = old
        for change in found {
            guard let next = applying(change, to: value) else { return "\(change) cannot be made in \(value)" }
            value = next
        }
        return value == new ? nil : "\(found) lead to \(value) instead of \(new)"
    }
}
