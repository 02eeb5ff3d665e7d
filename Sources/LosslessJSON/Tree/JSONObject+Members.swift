extension JSONObject {
    /// The value of a member; nil when there is none.
    ///
    /// Setting replaces the value where it stands or appends the member, setting nil removes it.
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

    func value(of key: Text) -> JSON? {
        find(hash: { TextHash.of(key) }, where: { Text.sameBytes($0, key) })?.pointee.value
    }

    /// The place of a member in the storage, which is valid as long as this object is; nil when there is none.
    ///
    /// For going several keys deep without a reference counted on the way.
    @inline(__always)
    func member(_ key: String) -> UnsafeMutablePointer<Member>? {
        var key = key
        return key.withUTF8 { bytes in
            guard bytes.count > ShortText.limit, let start = bytes.baseAddress else {
                let key = ShortText(bytes)
                return find(hash: { TextHash.of(key) }, where: { $0.isShort(key) })
            }
            return member(long: start, bytes.count)
        }
    }

    /// A long key is not copied to be looked for.
    private func member(long start: UnsafePointer<UInt8>, _ count: Int) -> UnsafeMutablePointer<Member>? {
        func isSame(_ key: borrowing Text) -> Bool {
            guard case .slice(let slice) = copy key else { return false }
            return slice.count == count && equalBytes(slice.start, start, count)
        }
        return find(hash: { TextHash.of(long: start, count) }, where: isSame)
    }

    @inline(__always)
    private func find(
        hash: () -> UInt32, where matches: (borrowing Text) -> Bool
    ) -> UnsafeMutablePointer<Member>? {
        switch form {
        case .small(let page):
            let members = page.elements
            for place in 0..<page.count where matches(members[place].key) { return members + place }
            return nil
        case .large(let large):
            var found: UnsafeMutablePointer<Member>?
            _ = large.index.find(hash()) { place in
                large.members.withElement(place) { member in
                    guard matches(member.pointee.key) else { return false }
                    found = member
                    return true
                }
            }
            return found
        }
    }

    private static func place(of key: Text, in page: Page<Member>) -> Int? {
        (0..<page.count).first { Text.sameBytes(page.elements[$0].key, key) }
    }

    /// With the same storage when the member is there already, written alike.
    func setting(_ key: Text, to value: JSON) -> JSONObject {
        switch form {
        case .small(let page):
            guard let place = JSONObject.place(of: key, in: page) else {
                return appending(Member(key, value), to: page)
            }
            let member = page.elements[place]
            if value.isIdentical(to: member.value!) { return self }
            return JSONObject(form: .small(page.replacing(place, with: Member(member.key, value))))
        case .large(let large):
            let hash = TextHash.of(key)
            guard let place = large.place(of: key, hash) else {
                return JSONObject(form: .large(large.appending(Member(key, value), hash)))
            }
            if large.members.withElement(place, { value.isIdentical(to: $0.pointee.value!) }) { return self }
            return JSONObject(form: .large(large.replacing(place, with: value)))
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
            guard let place = JSONObject.place(of: key, in: page) else { return self }
            return JSONObject(form: .small(page.removing(place)))
        case .large(let large):
            let hash = TextHash.of(key)
            guard let place = large.place(of: key, hash) else { return self }
            if let shrunk = large.removing(place, hash) { return JSONObject(form: .large(shrunk)) }
            var rest: [Member] = []
            rest.reserveCapacity(large.count)
            large.members.visit { member in
                if member.value != nil && !Text.sameBytes(member.key, key) { rest.append(copy member) }
            }
            return JSONObject(rest)
        }
    }

    /// Calls `body` with every member in order, without the reference counting of a `for` loop.
    func forEachMember(_ body: (borrowing Text, borrowing JSON) -> Void) {
        switch form {
        case .small(let page):
            for place in 0..<page.count { body(page.elements[place].key, page.elements[place].value!) }
        case .large(let large):
            large.members.visit { if let value = $0.value { body($0.key, value) } }
        }
    }

    /// Calls `body` with the values that two objects have under one key, nil where one lacks it, leaving out what they
    /// share.
    ///
    /// Versions of one object keep their members in the same places, so pages are compared pairwise, and only what
    /// does not stand opposite its own key is looked up.
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
            mine.members.forEachUnshared(with: theirs.members) { _, left, right in visit(left, right) }
        default:
            for place in 0..<Swift.max(places, other.places) { visit(member(at: place), other.member(at: place)) }
        }
    }

    /// Members and gaps.
    var places: Int {
        switch form {
        case .small(let page): page.count
        case .large(let large): large.members.count
        }
    }

    /// nil behind the last place.
    func member(at place: Int) -> Member? {
        guard place < places else { return nil }
        switch form {
        case .small(let page): return page.elements[place]
        case .large(let large): return large.members[place]
        }
    }
}

extension JSONObject: Collection {
    /// A member.
    public typealias Element = (key: String, value: JSON)

    /// The position of a member, good until members are added or removed.
    public struct Index: Comparable, Sendable {
        let place: Int

        /// Whether one member stands before another.
        public static func < (a: Index, b: Index) -> Bool { a.place < b.place }
    }

    /// The position of the first member.
    public var startIndex: Index { index(from: 0) }

    /// The position behind the last member.
    public var endIndex: Index { Index(place: places) }

    /// The position of the next member.
    public func index(after index: Index) -> Index { self.index(from: index.place + 1) }

    private func index(from place: Int) -> Index {
        var place = place
        while let member = member(at: place), member.value == nil { place += 1 }
        return Index(place: place)
    }

    /// The member at `index`, which must be in range.
    public subscript(index: Index) -> Element {
        guard let member = member(at: index.place), let value = member.value else {
            preconditionFailure("there is no member at this index")
        }
        return (member.key.string, value)
    }

    /// Whether there are no members.
    public var isEmpty: Bool { count == 0 }
}
