/// The members of a JSON object, in their order.
///
/// Finding a key takes about 30 ns among ten members and 110 ns among 100,000. Copies and unchanged parts are shared:
/// replacing a value, appending a member and removing one take a few microseconds in the largest object, however many
/// copies are alive. Keys are compared byte by byte: a composed and a decomposed ü are two keys.
///
/// A collection of pairs; its order is that of the file, which equality ignores.
public struct JSONObject: Sendable {
    enum Form: @unchecked Sendable {  // pages never change once shared
        case small(Page<Member>)
        case large(LargeObject)
    }

    let form: Form

    static let smallLimit = 32

    init(form: Form) { self.form = form }

    /// An empty object.
    public init() { form = .small(JSONObject.noMembers) }

    /// An object of `members`. Of a key that occurs more than once the last one counts.
    public init(_ members: some Sequence<(String, JSON)>) {
        self.init(members.map { Member(Text($0.0), $0.1) })
    }

    init(_ members: [Member]) {
        self = withUnsafeTemporaryAllocation(of: Member.self, capacity: members.count) { room in
            _ = room.initialize(from: members)
            return JSONObject.moving(room.baseAddress!, members.count).object
        }
    }

    // pages never change once shared
    nonisolated(unsafe) private static let noMembers: Page<Member> = Page.make(0) { _ in }

    /// Moves `count` members out of `start`, which is uninitialised afterwards. Of repeated keys the last one stays.
    @inline(__always)
    static func moving(
        _ start: UnsafeMutablePointer<Member>, _ count: Int
    ) -> (object: JSONObject, hadRepeatedKeys: Bool) {
        if count == 0 { return (JSONObject(), false) }
        guard count <= smallLimit else { return movingMany(start, count) }
        if count > 1 && RepeatFilter.findsRepeatedKey(start, count) { return movingRepeated(start, count) }
        return (JSONObject(form: .small(Page.make(count) { $0.moveInitialize(from: start, count: count) })), false)
    }

    private static func movingMany(
        _ start: UnsafeMutablePointer<Member>, _ count: Int
    ) -> (object: JSONObject, hadRepeatedKeys: Bool) {
        let index = LargeObject.index(of: start, count)
        let repeats = index.containsRepeat { Text.sameBytes(start[$0].key, start[$1].key) }
        if repeats { return movingRepeated(start, count) }
        return (
            JSONObject(form: .large(LargeObject(PagedVector(moving: start, count), count: count, index: index))), false
        )
    }

    @inline(never)
    private static func movingRepeated(
        _ start: UnsafeMutablePointer<Member>, _ count: Int
    ) -> (object: JSONObject, hadRepeatedKeys: Bool) {
        var last: [ByteKey: Int] = [:]
        for place in 0..<count { last[ByteKey(start[place].key)] = place }
        var kept = 0
        for place in 0..<count {
            if last[ByteKey(start[place].key)] == place {
                if kept != place { (start + kept).moveInitialize(from: start + place, count: 1) }
                kept += 1
            } else {
                (start + place).deinitialize(count: 1)
            }
        }
        return (JSONObject.moving(start, kept).object, true)
    }
}

/// A key that hashes and compares by its bytes.
struct ByteKey: Hashable {
    let text: Text

    init(_ text: Text) { self.text = text }

    static func == (a: ByteKey, b: ByteKey) -> Bool { Text.sameString(a.text, b.text) }
    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

extension JSONObject {
    /// The number of members.
    public var count: Int {
        switch form {
        case .small(let page): page.count
        case .large(let large): large.count
        }
    }

    /// Whether two objects are the very same storage, and so have equal members. The reverse need not hold.
    public func isIdentical(to other: JSONObject) -> Bool {
        switch (form, other.form) {
        case (.small(let mine), .small(let theirs)): mine === theirs
        case (.large(let mine), .large(let theirs)): mine === theirs
        default: false
        }
    }

    /// The keys, in order.
    public var keys: some Sequence<String> { lazy.map(\.key) }

    /// The values, in order.
    public var values: some Sequence<JSON> { lazy.map(\.value) }
}

extension JSONObject: Hashable {
    /// Whether two objects have the same keys with equal values, in whatever order. Shared parts are not looked at.
    public static func == (a: JSONObject, b: JSONObject) -> Bool {
        guard a.count == b.count else { return false }
        if a.isIdentical(to: b) { return true }
        var differs = false
        a.forEachUnsharedPair(with: b) { _, mine, theirs in
            if differs { return }
            guard let mine, let theirs else {
                differs = true
                return
            }
            differs = mine != theirs
        }
        return !differs
    }

    /// Feeds the members to a hasher, in a way that does not depend on their order.
    @inline(never)  // its variables would be on the stack at every level of arrays too
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        forEachMember { key, value in
            var one = Hasher()
            key.hash(into: &one)
            (copy value).hash(into: &one)
            sum ^= one.finalize()
        }
        hasher.combine(count)
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// An object. Of a key that is given twice the last value counts.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }

    /// The object on one line.
    public var description: String { JSON.object(self).description }
}
