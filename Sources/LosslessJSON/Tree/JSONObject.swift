internal import Glibc

/// The members of a JSON object, in order.
///
/// A lookup takes some tens of nanoseconds, among 100,000 members a few times as long as among ten. Copies and unchanged
/// parts share storage: replacing a value, appending a member and removing one take a few microseconds in the largest
/// object, however many copies are alive. Keys compare byte by byte: a composed and a decomposed ü are two keys.
///
/// A collection of pairs in file order, which equality ignores.
public struct JSONObject: Sendable {
    enum Form: @unchecked Sendable {  // pages never change once shared
        case small(Page<Member>)
        case large(LargeObject)
    }

    let form: Form

    static let smallLimit = 32

    init(form: Form) { self.form = form }

    /// Creates an empty object.
    public init() { form = .small(JSONObject.noMembers) }

    /// Creates an object of `members`. If a key occurs more than once, the last value counts.
    public init(_ members: some Sequence<(String, JSON)>) {
        self.init(members.map { Member(Text($0.0), $0.1) })
    }

    init(_ members: [Member]) { self = JSONObject.copying(members).object }

    /// Keeps the last of duplicate keys.
    static func copying(_ members: [Member]) -> (object: JSONObject, hadDuplicateKeys: Bool) {
        withUnsafeTemporaryAllocation(of: Member.self, capacity: members.count) { room in
            _ = room.initialize(from: members)
            return JSONObject.moving(room.baseAddress!, members.count)
        }
    }

    // Pages never change once shared.
    nonisolated(unsafe) private static let noMembers: Page<Member> = Page.make(0) { _ in }

    /// Moves `count` members out of `start`, which is uninitialized afterwards. Keeps the last of duplicate keys.
    @inline(__always)
    static func moving(
        _ start: UnsafeMutablePointer<Member>, _ count: Int
    ) -> (object: JSONObject, hadDuplicateKeys: Bool) {
        if count == 0 { return (JSONObject(), false) }
        guard count <= smallLimit else { return movingMany(start, count) }
        if count > 1 && DuplicateFilter.hasDuplicateKey(start, count) { return movingDuplicates(start, count) }
        return (JSONObject(form: .small(Page.make(count) { $0.moveInitialize(from: start, count: count) })), false)
    }

    private static func movingMany(
        _ start: UnsafeMutablePointer<Member>, _ count: Int
    ) -> (object: JSONObject, hadDuplicateKeys: Bool) {
        let index = LargeObject.index(of: start, count)
        let repeats = index.containsDuplicate { Text.sameBytes(start[$0].key, start[$1].key) }
        if repeats { return movingDuplicates(start, count) }
        return (
            JSONObject(form: .large(LargeObject(PagedVector(moving: start, count), count: count, index: index))), false
        )
    }

    @inline(never)
    private static func movingDuplicates(
        _ start: UnsafeMutablePointer<Member>, _ count: Int
    ) -> (object: JSONObject, hadDuplicateKeys: Bool) {
        var last: [ByteKey: Int] = [:]
        for position in 0..<count { last[ByteKey(start[position].key)] = position }
        var kept = 0
        for position in 0..<count {
            if last[ByteKey(start[position].key)] == position {
                if kept != position { (start + kept).moveInitialize(from: start + position, count: 1) }
                kept += 1
            } else {
                (start + position).deinitialize(count: 1)
            }
        }
        return (JSONObject.moving(start, kept).object, true)
    }
}

/// A key that compares and hashes by its bytes.
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

    /// Whether two objects have the same storage, and therefore equal members. Equal objects need not be identical.
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
    /// Whether two objects have the same keys with equal values, in any order. Skips shared parts.
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

    /// Hashes the members, independently of their order.
    @inline(never)  // inlined, its variables would occupy the stack at every level of arrays too
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
    /// An object. If a key occurs more than once, the last value counts.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }

    /// The object on one line.
    public var description: String { JSON.object(self).description }
}

/// A key and its value: thirty-two bytes.
struct Member: Sendable {
    let key: Text
    /// nil marks a tombstone: a member removed from a large object that has not been rebuilt since.
    let value: JSON?

    @inline(__always)
    init(_ key: Text, _ value: JSON?) {
        self.key = key
        self.value = value
    }

    /// Whether two members have the same key and an identical value, or are tombstones of the same key.
    static func isIdentical(_ a: UnsafeMutablePointer<Member>, _ b: UnsafeMutablePointer<Member>) -> Bool {
        if !Text.sameBytes(a.pointee.key, b.pointee.key) || a.pointee.isTombstone != b.pointee.isTombstone {
            return false
        }
        return a.pointee.isTombstone || a.pointee.value!.isIdentical(to: b.pointee.value!)
    }

    /// True for copies of one member; false says nothing.
    @inline(__always)
    static func hasSameBytes(_ a: UnsafeMutablePointer<Member>, _ b: UnsafeMutablePointer<Member>) -> Bool {
        memcmp(a, b, MemoryLayout<Member>.size) == 0
    }

    private var isTombstone: Bool { if case .none = value { true } else { false } }
}
