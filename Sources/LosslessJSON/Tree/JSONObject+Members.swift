extension JSONObject {
    typealias LocatedMember = (member: UnsafeMutablePointer<Member>, position: Int)

    /// The value of a member; nil if there is none.
    ///
    /// Setting a value replaces it in place or appends the member; setting nil removes it.
    public subscript(key: String) -> JSON? {
        get { member(key)?.pointee.value }
        set {
            guard let newValue else {
                self = removing(Text(key))
                return
            }
            self = setting(Text(key), to: newValue)
        }
    }

    func value(of key: Text) -> JSON? { located(key)?.member.pointee.value }

    func position(of key: Text) -> Int? { located(key)?.position }

    private func located(_ key: Text) -> LocatedMember? {
        find(hash: { TextHash.of(key) }, where: { Text.sameBytes($0, key) })
    }

    /// A pointer to a member in the storage, valid as long as this object; nil if there is none.
    ///
    /// Allows nested lookups without reference counting.
    @inline(__always)
    func member(_ key: String) -> UnsafeMutablePointer<Member>? { located(key)?.member }

    /// A pointer to a member and its position. A small object is searched from a position on, then from its beginning.
    @inline(__always)
    func located(_ key: String, from start: Int = 0) -> LocatedMember? {
        // Outside of the access to the bytes of the key, so that the compiler sees that nothing changes meanwhile.
        if let key = ShortText(key) {
            return find(from: start, hash: { TextHash.of(key) }, where: { $0.isShort(key) })
        }
        var key = key
        return key.withUTF8 { located(long: $0.baseAddress!, $0.count, from: start) }
    }

    /// Looks up a long key without copying it.
    private func located(long bytes: UnsafePointer<UInt8>, _ count: Int, from start: Int) -> LocatedMember? {
        func isSame(_ key: borrowing Text) -> Bool {
            guard case .slice(let slice) = copy key else { return false }
            return slice.count == count && equalBytes(slice.start, bytes, count)
        }
        return find(from: start, hash: { TextHash.of(long: bytes, count) }, where: isSame)
    }

    @inline(__always)
    private func find(
        from start: Int = 0, hash: () -> UInt32, where matches: (borrowing Text) -> Bool
    ) -> LocatedMember? {
        switch form {
        case .small(let page):
            let members = page.elements
            let first = Swift.min(start, page.count)
            for position in first..<page.count where matches(members[position].key) {
                return (members + position, position)
            }
            for position in 0..<first where matches(members[position].key) { return (members + position, position) }
            return nil
        case .large(let large):
            var found: LocatedMember?
            _ = large.index.find(hash()) { position in
                large.members.withElement(position) { member in
                    guard matches(member.pointee.key) else { return false }
                    found = (member, position)
                    return true
                }
            }
            return found
        }
    }

    private static func position(of key: Text, in page: Page<Member>) -> Int? {
        (0..<page.count).first { Text.sameBytes(page.elements[$0].key, key) }
    }

    /// Returns the same storage if the member already has this value with this spelling.
    func setting(_ key: Text, to value: JSON) -> JSONObject {
        switch form {
        case .small(let page):
            guard let position = JSONObject.position(of: key, in: page) else {
                return appending(Member(key, value), to: page)
            }
            if value.isIdentical(to: page.elements[position].value!) { return self }
            return replacingValue(at: position, with: value)
        case .large(let large):
            let hash = TextHash.of(key)
            guard let position = large.position(of: key, hash) else {
                return JSONObject(form: .large(large.appending(Member(key, value), hash)))
            }
            if large.members.withElement(position, { value.isIdentical(to: $0.pointee.value!) }) { return self }
            return replacingValue(at: position, with: value)
        }
    }

    /// Replaces the value of the member at a position, which is not a tombstone.
    func replacingValue(at position: Int, with value: JSON) -> JSONObject {
        switch form {
        case .small(let page):
            JSONObject(form: .small(page.replacing(position, with: Member(page.elements[position].key, value))))
        case .large(let large): JSONObject(form: .large(large.replacing(position, with: value)))
        }
    }

    /// Replaces the values at some positions, which are in order and have no tombstones.
    func replacingValues(_ changes: [(index: Int, element: JSON)]) -> JSONObject {
        if changes.isEmpty { return self }
        let members = changes.map { (index: $0.index, element: Member(member(at: $0.index)!.key, $0.element)) }
        return switch form {
        case .small(let page): JSONObject(form: .small(page.replacing(members[...])))
        case .large(let large):
            JSONObject(form: .large(LargeObject(large.members.replacing(members), count: count, index: large.index)))
        }
    }

    private func appending(_ member: Member, to page: Page<Member>) -> JSONObject {
        let grown = page.inserting(member, at: page.count)
        if grown.count <= JSONObject.smallLimit { return JSONObject(form: .small(grown)) }
        return withUnsafeTemporaryAllocation(of: Member.self, capacity: grown.count) { room in
            let start = room.baseAddress!
            start.initialize(from: grown.elements, count: grown.count)
            return JSONObject(form: .large(LargeObject(moving: start, grown.count)))
        }
    }

    func removing(_ key: Text) -> JSONObject {
        switch form {
        case .small(let page):
            guard let position = JSONObject.position(of: key, in: page) else { return self }
            return JSONObject(form: .small(page.removing(position)))
        case .large(let large):
            let hash = TextHash.of(key)
            guard let position = large.position(of: key, hash) else { return self }
            if let shrunk = large.removing(position, hash) { return JSONObject(form: .large(shrunk)) }
            var rest: [Member] = []
            rest.reserveCapacity(large.count)
            large.members.visit { member in
                if member.value != nil && !Text.sameBytes(member.key, key) { rest.append(copy member) }
            }
            return JSONObject(rest)
        }
    }

    /// Calls `body` with each member in order, without the reference counting of a `for` loop.
    func forEachMember(_ body: (borrowing Text, borrowing JSON) -> Void) {
        switch form {
        case .small(let page):
            for position in 0..<page.count { body(page.elements[position].key, page.elements[position].value!) }
        case .large(let large):
            large.members.visit { if let value = $0.value { body($0.key, value) } }
        }
    }

    /// Calls `body` with each key whose values in two objects are not shared, and both values; nil if an object lacks
    /// the key.
    ///
    /// Versions of one object usually keep their members at the same positions, so pages are compared pairwise; only a member
    /// whose counterpart has another key is looked up. If members came or went in the middle, the others are in the same
    /// order, and they are compared in step.
    func forEachUnsharedPair(with other: JSONObject, _ body: (borrowing Text, JSON?, JSON?) -> Void) {
        func visit(_ mine: Member?, _ theirs: Member?) {
            if let mine, let theirs, Text.sameBytes(mine.key, theirs.key), let left = mine.value,
                let right = theirs.value
            {
                if !left.isIdentical(to: right) { body(mine.key, left, right) }
                return
            }
            if let mine, let left = mine.value {
                let right = other.value(of: mine.key)
                if right.map({ left.isIdentical(to: $0) }) != true { body(mine.key, left, right) }
            }
            if let theirs, let right = theirs.value, value(of: theirs.key) == nil { body(theirs.key, nil, right) }
        }
        switch (form, other.form) {
        case (.large(let mine), .large(let theirs)):
            if JSONObject.haveSamePositions(mine, theirs) {
                mine.members.forEachDifference(from: theirs.members, Member.isIdentical) { _, left, right in
                    visit(left, right)
                }
            } else {
                forEachPairInStep(mine.members, with: other, theirs.members, visit)
            }
        case (.small(let mine), .small(let theirs)) where mine.count == theirs.count:
            // Without copies of members, which are few but many objects have.
            for position in 0..<mine.count {
                let (left, right) = (mine.elements + position, theirs.elements + position)
                if !Text.sameBytes(left.pointee.key, right.pointee.key) {
                    visit(left.pointee, right.pointee)
                } else if !left.pointee.value!.isIdentical(to: right.pointee.value!) {
                    body(left.pointee.key, left.pointee.value, right.pointee.value)
                }
            }
        default:
            for position in 0..<Swift.max(positionCount, other.positionCount) {
                visit(member(at: position), other.member(at: position))
            }
        }
    }

    /// Whether the members that two versions have in common are probably at the same positions.
    private static func haveSamePositions(_ mine: LargeObject, _ theirs: LargeObject) -> Bool {
        let hasSameCount = mine.members.count == theirs.members.count && mine.count == theirs.count
        if !hasSameCount, !mine.members.probablySharesPages(with: theirs.members) { return false }
        let last = Swift.min(mine.members.count, theirs.members.count) - 1
        return [last / 2, last].allSatisfy { position in
            mine.members.withElement(position) { left in
                theirs.members.withElement(position) { Text.sameBytes(left.pointee.key, $0.pointee.key) }
            }
        }
    }

    /// Calls `visit` with each member of this object and the one of the same key in `other`, if it is the next one
    /// there; and with each member that only `other` has. Skips those that are the same.
    private func forEachPairInStep(
        _ mine: PagedVector<Member>, with other: JSONObject, _ theirs: PagedVector<Member>,
        _ visit: (Member?, Member?) -> Void
    ) {
        var (here, there) = (0, 0)
        while here < mine.count || there < theirs.count {
            if here < mine.count, there < theirs.count {
                let (left, right) = (mine.withElement(here) { $0 }, theirs.withElement(there) { $0 })
                if left == right || Member.hasSameBytes(left, right) {
                    // The rest of a page that both have.
                    let rest = PagedVector<Member>.width - here % PagedVector<Member>.width
                    let step = left == right ? Swift.min(rest, mine.count - here, theirs.count - there) : 1
                    (here, there) = (here + step, there + step)
                    continue
                }
                if Text.sameBytes(left.pointee.key, right.pointee.key) {
                    visit(left.pointee, right.pointee)
                    (here, there) = (here + 1, there + 1)
                    continue
                }
            }
            if there < theirs.count, value(of: theirs.withElement(there) { $0.pointee.key }) == nil {
                visit(nil, theirs[there])
                there += 1
            } else if here < mine.count {
                visit(mine[here], nil)
                here += 1
            } else {
                // Visited as the member of the same key.
                there += 1
            }
        }
    }

    /// The keys whose values in this object and in `new` are not equal, with both values; nil if an object lacks the
    /// key. In the order of `new`, after the keys that it lacks.
    package func differences(to new: JSONObject) -> [(key: String, old: JSON?, new: JSON?)] {
        var found: [(position: Int, key: String, old: JSON?, new: JSON?)] = []
        forEachUnsharedPair(with: new) { key, mine, theirs in
            if let mine, let theirs, mine == theirs { return }
            let key = (copy key).string
            found.append((new.located(key)?.position ?? -1, key, mine, theirs))
        }
        found.sort { $0.position < $1.position }
        return found.map { ($0.key, $0.old, $0.new) }
    }

    /// The number of members and tombstones.
    var positionCount: Int {
        switch form {
        case .small(let page): page.count
        case .large(let large): large.members.count
        }
    }

    /// nil beyond the last position.
    func member(at position: Int) -> Member? {
        guard position < positionCount else { return nil }
        switch form {
        case .small(let page): return page.elements[position]
        case .large(let large): return large.members[position]
        }
    }
}

extension JSONObject: Collection {
    /// A key and its value.
    public typealias Element = (key: String, value: JSON)

    /// The position of a member. Invalidated by adding or removing members.
    public struct Index: Comparable, Sendable {
        let position: Int

        /// Whether one position precedes another.
        public static func < (a: Index, b: Index) -> Bool { a.position < b.position }
    }

    /// The position of the first member.
    public var startIndex: Index { index(from: 0) }

    /// The position after the last member.
    public var endIndex: Index { Index(position: positionCount) }

    /// The position of the next member.
    public func index(after index: Index) -> Index { self.index(from: index.position + 1) }

    private func index(from position: Int) -> Index {
        var position = position
        while let member = member(at: position), member.value == nil { position += 1 }
        return Index(position: position)
    }

    /// The member at `index`, which must be in range.
    public subscript(index: Index) -> Element {
        guard let member = member(at: index.position), let value = member.value else {
            preconditionFailure("there is no member at this index")
        }
        return (member.key.string, value)
    }

    /// Whether the object has no members.
    public var isEmpty: Bool { count == 0 }
}
