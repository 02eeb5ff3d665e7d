/// Rebuilds a newly parsed tree from the subtrees of the previous one, so that unchanged parts keep their identity.
///
/// The result does not reference the new text: long strings that the old tree lacks are copied. Otherwise a thousand
/// reloads that change one value each could keep a thousand texts alive.
struct SubtreeSharing {
    /// The number of bytes that may still be copied. The operation is abandoned once it is negative.
    private(set) var remainingBytes: Int

    /// Returns `new` with as many subtrees of `old` as possible, with exactly the spelling and order of `new`; nil if
    /// more than `limit` bytes would have to be copied.
    static func rebuild(_ new: JSON, from old: JSON, copying limit: Int) -> (value: JSON, copiedBytes: Int)? {
        var sharing = SubtreeSharing(remainingBytes: limit)
        let value = sharing.replacement(old, new) ?? old
        return sharing.remainingBytes < 0 ? nil : (value, limit - sharing.remainingBytes)
    }

    /// Returns `new` with as many subtrees of `old` as possible; nil if `old` is exactly the same.
    static func replacement(for old: JSON, by new: JSON) -> JSON? {
        var sharing = SubtreeSharing(remainingBytes: .max)
        return sharing.replacement(old, new)
    }

    /// Returns `value` with its long texts copied out of their sources.
    static func detach(_ value: JSON) -> (value: JSON, copiedBytes: Int) {
        var sharing = SubtreeSharing(remainingBytes: .max)
        let copy = sharing.detached(value) ?? value
        return (copy, .max - sharing.remainingBytes)
    }

    /// The replacement for `old`; nil if `old` can be used unchanged.
    mutating func replacement(_ old: JSON, _ new: JSON) -> JSON? {
        guard remainingBytes >= 0, !old.isIdentical(to: new) else { return nil }
        switch (old, new) {
        case (.array(let old), .array(let new)): return replacement(old, new).map(JSON.array)
        case (.object(let old), .object(let new)): return replacement(old, new).map(JSON.object)
        default: return detached(new) ?? new
        }
    }

    // MARK: Arrays

    private mutating func replacement(_ old: JSONArray, _ new: JSONArray) -> JSONArray? {
        guard old.count == new.count else { return resized(old, new) }
        switch (old.form, new.form) {
        case (.small(let mine), .small):
            let page = mine.replacingElements { replacement(copy $1, new[$0]) }
            return page === mine ? nil : JSONArray(form: .small(page))
        case (.large(let mine), .large(let theirs)):
            let elements = mine.elements.replacingElements { replacement(copy $1, theirs.elements[$0]) }
            return elements.isIdentical(to: mine.elements) ? nil : JSONArray(form: .large(LargeArray(elements)))
        default: preconditionFailure("arrays of equal length have one form")
        }
    }

    /// Keeps the elements before and after an insertion or a removal.
    private mutating func resized(_ old: JSONArray, _ new: JSONArray) -> JSONArray {
        let suffix = JSONArray.commonPrefixAndSuffix(old, new).suffix
        let (oldEnd, newEnd) = (old.count - suffix, new.count - suffix)
        var elements: [JSON] = []
        elements.reserveCapacity(new.count)
        for index in new.indices {
            let opposite = index < newEnd ? index : index - newEnd + oldEnd
            if index < newEnd && index >= oldEnd {
                elements.append(detached(new[index]) ?? new[index])
            } else {
                elements.append(replacement(old[opposite], new[index]) ?? old[opposite])
            }
        }
        return JSONArray(elements)
    }

    // MARK: Objects

    private mutating func replacement(_ old: JSONObject, _ new: JSONObject) -> JSONObject? {
        // Checked before anything is changed: starting over at every level would take exponential time.
        guard old.hasSameKeyOrder(of: new) else { return reordered(old, new) }
        switch (old.form, new.form) {
        case (.small(let mine), .small(let theirs)):
            let page = mine.replacingElements { replacement(copy $1, theirs.elements[$0]) }
            return page === mine ? nil : JSONObject(form: .small(page))
        case (.large(let mine), .large(let theirs)):
            let members = mine.members.replacingElements { replacement(copy $1, theirs.members[$0]) }
            if members.isIdentical(to: mine.members) { return nil }
            return JSONObject(form: .large(LargeObject(members, count: mine.count, index: mine.index)))
        default: preconditionFailure("objects of equal size without tombstones have one form")
        }
    }

    private mutating func replacement(_ old: Member, _ new: Member) -> Member? {
        replacement(old.value!, new.value!).map { Member(old.key, $0) }
    }

    /// Rebuilds an object whose members were added, removed or moved, reusing the old values.
    private mutating func reordered(_ old: JSONObject, _ new: JSONObject) -> JSONObject {
        var members: [Member] = []
        members.reserveCapacity(new.count)
        new.forEachMember { key, value in
            if let mine = old.member(of: copy key), let before = mine.value {
                members.append(Member(mine.key, replacement(before, copy value) ?? before))
            } else {
                members.append(Member(copiedOut(copy key) ?? copy key, detached(copy value) ?? copy value))
            }
        }
        return JSONObject(members)
    }

    // MARK: - New values

    /// Copies the long texts of a new value out of the file; nil if there are none.
    private mutating func detached(_ new: JSON) -> JSON? {
        guard remainingBytes >= 0 else { return nil }
        switch new {
        case .null, .bool: return nil
        case .number(let number): return copiedOut(number.text).map { .number(JSONNumber(text: $0)) }
        case .string(let string): return copiedOut(string.text).map { .string(JSONString(text: $0)) }
        case .array(let array): return detached(array).map(JSON.array)
        case .object(let object): return detached(object).map(JSON.object)
        }
    }

    private mutating func detached(_ new: JSONArray) -> JSONArray? {
        switch new.form {
        case .small(let page):
            let copy = page.replacingElements { detached(copy $1) }
            return copy === page ? nil : JSONArray(form: .small(copy))
        case .large(let large):
            let copy = large.elements.replacingElements { detached(copy $1) }
            return copy.isIdentical(to: large.elements) ? nil : JSONArray(form: .large(LargeArray(copy)))
        }
    }

    private mutating func detached(_ new: JSONObject) -> JSONObject? {
        switch new.form {
        case .small(let page):
            let copy = page.replacingElements { detached(copy $1) }
            return copy === page ? nil : JSONObject(form: .small(copy))
        case .large(let large):
            let copy = large.members.replacingElements { detached(copy $1) }
            if copy.isIdentical(to: large.members) { return nil }
            return JSONObject(form: .large(LargeObject(copy, count: large.count, index: large.index)))
        }
    }

    private mutating func detached(_ new: Member) -> Member? {
        let (key, value) = (copiedOut(new.key), new.value.flatMap { detached($0) })
        return key == nil && value == nil ? nil : Member(key ?? new.key, value ?? new.value)
    }

    private mutating func copiedOut(_ text: Text) -> Text? {
        if case .short = text { return nil }
        let source = text.withStoredBytes { Source.exactly($0) }
        remainingBytes -= source.count
        return text.isEscaped ? .escaped(TextSlice(source)) : .slice(TextSlice(source))
    }
}

extension JSONObject {
    /// Whether both objects have the same keys at the same positions and no tombstones.
    fileprivate func hasSameKeyOrder(of other: JSONObject) -> Bool {
        guard count == other.count, positionCount == count, other.positionCount == count else { return false }
        switch (form, other.form) {
        case (.small(let mine), .small(let theirs)):
            return (0..<count).allSatisfy { Text.sameBytes(mine.elements[$0].key, theirs.elements[$0].key) }
        case (.large(let mine), .large(let theirs)):
            return (0..<count).allSatisfy { position in
                mine.members.withElement(position) { mine in
                    theirs.members.withElement(position) { Text.sameBytes(mine.pointee.key, $0.pointee.key) }
                }
            }
        default: return false
        }
    }

    /// The member with a key, so that the existing copy of the key can be kept.
    fileprivate func member(of key: Text) -> Member? {
        switch form {
        case .small(let page):
            (0..<page.count).first { Text.sameBytes(page.elements[$0].key, key) }.map { page.elements[$0] }
        case .large(let large): large.position(of: key, TextHash.of(key)).map { large.members[$0] }
        }
    }
}
