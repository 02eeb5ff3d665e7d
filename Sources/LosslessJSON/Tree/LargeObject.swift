/// The members of an object that does not fit in one page: in order, with an index from keys to positions.
///
/// A removed member leaves a tombstone, so that the positions of the others do not change. When half of the positions
/// are tombstones, the object is rebuilt.
final class LargeObject: Sendable {
    let members: PagedVector<Member>
    /// Without tombstones.
    let count: Int
    let index: HashIndex

    init(_ members: PagedVector<Member>, count: Int, index: HashIndex) {
        (self.members, self.count, self.index) = (members, count, index)
    }

    /// Moves members without tombstones or duplicate keys out of `start`.
    convenience init(moving start: UnsafeMutablePointer<Member>, _ count: Int) {
        let index = LargeObject.index(of: start, count)
        self.init(PagedVector(moving: start, count), count: count, index: index)
    }

    static func index(of members: UnsafeMutablePointer<Member>, _ count: Int) -> HashIndex {
        let pairs = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * count)
        defer { pairs.deallocate() }
        for position in 0..<count { pairs[position] = HashIndex.pair(TextHash.of(members[position].key), position) }
        return HashIndex.make(pairs, count, pairs + count)
    }

    @inline(__always)
    func position(of key: Text, _ hash: UInt32) -> Int? {
        index.find(hash) { position in members.withElement(position) { Text.sameBytes($0.pointee.key, key) } }
    }

    func replacing(_ position: Int, with value: JSON) -> LargeObject {
        let member = members.withElement(position) { Member($0.pointee.key, value) }
        return LargeObject(members.replacing(position, with: member), count: count, index: index)
    }

    func appending(_ member: Member, _ hash: UInt32) -> LargeObject {
        let pair = HashIndex.pair(hash, members.count)
        return LargeObject(members.appending(member), count: count + 1, index: index.inserting(pair))
    }

    /// nil if so few members would remain that the object should be rebuilt.
    func removing(_ position: Int, _ hash: UInt32) -> LargeObject? {
        guard count - 1 > max(JSONObject.smallLimit / 2, members.count / 2) else { return nil }
        let tombstone = members.withElement(position) { Member($0.pointee.key, nil) }
        let shrunk = index.removing(HashIndex.pair(hash, position))
        return LargeObject(members.replacing(position, with: tombstone), count: count - 1, index: shrunk)
    }
}
