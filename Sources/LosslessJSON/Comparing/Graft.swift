/// Rebuilds a newly parsed tree out of the parts of the one before it, so that what did not change keeps its identity.
///
/// Nothing of the new text stays referenced: long strings that the old tree does not have are copied out of it.
/// Otherwise a thousand reloads of one value each could keep a thousand texts alive.
struct Graft {
    /// How many bytes may still be copied. Below zero the graft is given up.
    private var room: Int

    /// `new` with as much of `old` in it as possible, exactly as `new` is spelled and ordered; nil when more than
    /// `limit` bytes would have to be copied.
    static func onto(_ old: JSON, _ new: JSON, copying limit: Int) -> (value: JSON, copiedBytes: Int)? {
        var graft = Graft(room: limit)
        let value = graft.change(old, new) ?? old
        return graft.room < 0 ? nil : (value, limit - graft.room)
    }

    /// `value` with its long texts copied out of where they come from.
    static func copy(_ value: JSON) -> (value: JSON, copiedBytes: Int) {
        var graft = Graft(room: .max)
        let copy = graft.adopted(value) ?? value
        return (copy, .max - graft.room)
    }

    /// nil where `old` may stay.
    private mutating func change(_ old: JSON, _ new: JSON) -> JSON? {
        guard room >= 0, !old.isIdentical(to: new) else { return nil }
        switch (old, new) {
        case (.array(let old), .array(let new)): return change(old, new).map(JSON.array)
        case (.object(let old), .object(let new)): return change(old, new).map(JSON.object)
        default: return adopted(new) ?? new
        }
    }

    // MARK: Arrays

    private mutating func change(_ old: JSONArray, _ new: JSONArray) -> JSONArray? {
        guard old.count == new.count else { return resized(old, new) }
        switch (old.form, new.form) {
        case (.small(let mine), .small):
            let page = mine.replacingWhereGiven { change(copy $1, new[$0]) }
            return page === mine ? nil : JSONArray(form: .small(page))
        case (.large(let mine), .large(let theirs)):
            let elements = mine.elements.replacingWhereGiven { change(copy $1, theirs.elements[$0]) }
            return elements.isIdentical(to: mine.elements) ? nil : JSONArray(form: .large(LargeArray(elements)))
        default: preconditionFailure("arrays of one length have one form")
        }
    }

    /// What stands before and behind an insertion or a removal stays.
    private mutating func resized(_ old: JSONArray, _ new: JSONArray) -> JSONArray {
        let suffix = JSONArray.commonEnds(old, new).suffix
        let (oldEnd, newEnd) = (old.count - suffix, new.count - suffix)
        var elements: [JSON] = []
        elements.reserveCapacity(new.count)
        for index in new.indices {
            let opposite = index < newEnd ? index : index - newEnd + oldEnd
            if index < newEnd && index >= oldEnd {
                elements.append(adopted(new[index]) ?? new[index])
            } else {
                elements.append(change(old[opposite], new[index]) ?? old[opposite])
            }
        }
        return JSONArray(elements)
    }

    // MARK: Objects

    private mutating func change(_ old: JSONObject, _ new: JSONObject) -> JSONObject? {
        // Looked at before anything is changed: what has to be begun again at every level would take for ever.
        guard old.hasKeysInPlace(of: new) else { return reordered(old, new) }
        switch (old.form, new.form) {
        case (.small(let mine), .small(let theirs)):
            let page = mine.replacingWhereGiven { change(copy $1, theirs.elements[$0]) }
            return page === mine ? nil : JSONObject(form: .small(page))
        case (.large(let mine), .large(let theirs)):
            let members = mine.members.replacingWhereGiven { change(copy $1, theirs.members[$0]) }
            if members.isIdentical(to: mine.members) { return nil }
            return JSONObject(form: .large(LargeObject(members, count: mine.count, index: mine.index)))
        default: preconditionFailure("objects with as many members and no gaps have one form")
        }
    }

    private mutating func change(_ old: Member, _ new: Member) -> Member? {
        change(old.value!, new.value!).map { Member(old.key, $0) }
    }

    /// Members were added, removed or moved: the object is new, what they hold need not be.
    private mutating func reordered(_ old: JSONObject, _ new: JSONObject) -> JSONObject {
        var members: [Member] = []
        members.reserveCapacity(new.count)
        new.forEachMember { key, value in
            if let mine = old.member(of: copy key), let before = mine.value {
                members.append(Member(mine.key, change(before, copy value) ?? before))
            } else {
                members.append(Member(copied(copy key) ?? copy key, adopted(copy value) ?? copy value))
            }
        }
        return JSONObject(members)
    }

    // MARK: What is new

    /// With its long texts copied out of the file; nil when there are none.
    private mutating func adopted(_ new: JSON) -> JSON? {
        guard room >= 0 else { return nil }
        switch new {
        case .null, .bool: return nil
        case .number(let number): return copied(number.text).map { .number(JSONNumber(text: $0)) }
        case .string(let string): return copied(string.text).map { .string(JSONString(text: $0)) }
        case .array(let array): return adopted(array).map(JSON.array)
        case .object(let object): return adopted(object).map(JSON.object)
        }
    }

    private mutating func adopted(_ new: JSONArray) -> JSONArray? {
        switch new.form {
        case .small(let page):
            let copy = page.replacingWhereGiven { adopted(copy $1) }
            return copy === page ? nil : JSONArray(form: .small(copy))
        case .large(let large):
            let copy = large.elements.replacingWhereGiven { adopted(copy $1) }
            return copy.isIdentical(to: large.elements) ? nil : JSONArray(form: .large(LargeArray(copy)))
        }
    }

    private mutating func adopted(_ new: JSONObject) -> JSONObject? {
        switch new.form {
        case .small(let page):
            let copy = page.replacingWhereGiven { adopted(copy $1) }
            return copy === page ? nil : JSONObject(form: .small(copy))
        case .large(let large):
            let copy = large.members.replacingWhereGiven { adopted(copy $1) }
            if copy.isIdentical(to: large.members) { return nil }
            return JSONObject(form: .large(LargeObject(copy, count: large.count, index: large.index)))
        }
    }

    private mutating func adopted(_ new: Member) -> Member? {
        let (key, value) = (copied(new.key), new.value.flatMap { adopted($0) })
        return key == nil && value == nil ? nil : Member(key ?? new.key, value ?? new.value)
    }

    private mutating func copied(_ text: Text) -> Text? {
        if case .short = text { return nil }
        let source = text.withStoredBytes { Source.exactly($0) }
        room -= source.count
        return text.isEscaped ? .escaped(TextSlice(source)) : .slice(TextSlice(source))
    }
}

extension JSONObject {
    /// Whether both have the same keys in the same places, and no gaps.
    fileprivate func hasKeysInPlace(of other: JSONObject) -> Bool {
        guard count == other.count, places == count, other.places == count else { return false }
        switch (form, other.form) {
        case (.small(let mine), .small(let theirs)):
            return (0..<count).allSatisfy { Text.sameBytes(mine.elements[$0].key, theirs.elements[$0].key) }
        case (.large(let mine), .large(let theirs)):
            return (0..<count).allSatisfy { place in
                mine.members.withElement(place) { mine in
                    theirs.members.withElement(place) { Text.sameBytes(mine.pointee.key, $0.pointee.key) }
                }
            }
        default: return false
        }
    }

    /// The member with a key, so that its own copy of the key can be kept.
    fileprivate func member(of key: Text) -> Member? {
        switch form {
        case .small(let page):
            (0..<page.count).first { Text.sameBytes(page.elements[$0].key, key) }.map { page.elements[$0] }
        case .large(let large): large.place(of: key, TextHash.of(key)).map { large.members[$0] }
        }
    }
}
