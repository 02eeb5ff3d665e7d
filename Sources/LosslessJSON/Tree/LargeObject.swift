/// The members of an object that are too many for one page: in order, with an index from keys to places.
///
/// A removed member leaves a gap, so that the places of the others stay what they are. When half of the places are
/// gaps, the object is written anew.
final class LargeObject: Sendable {
    let members: PagedVector<Member>
    /// Without the gaps.
    let count: Int
    let index: HashIndex

    init(_ members: PagedVector<Member>, count: Int, index: HashIndex) {
        (self.members, self.count, self.index) = (members, count, index)
    }

    /// Moves the members, which have no gaps and no repeated keys, out of `start`.
    convenience init(moving start: UnsafeMutablePointer<Member>, _ count: Int) {
        let index = LargeObject.index(of: start, count)
        self.init(PagedVector(moving: start, count), count: count, index: index)
    }

    static func index(of members: UnsafeMutablePointer<Member>, _ count: Int) -> HashIndex {
        let pairs = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * count)
        defer { pairs.deallocate() }
        for place in 0..<count { pairs[place] = HashIndex.pair(TextHash.of(members[place].key), place) }
        return HashIndex.make(pairs, count, pairs + count)
    }

    @inline(__always)
    func place(of key: Text, _ hash: UInt32) -> Int? {
        index.find(hash) { place in members.withElement(place) { Text.sameBytes($0.pointee.key, key) } }
    }

    func replacing(_ place: Int, with value: JSON) -> LargeObject {
        let member = members.withElement(place) { Member($0.pointee.key, value) }
        return LargeObject(members.replacing(place, with: member), count: count, index: index)
    }

    func appending(_ member: Member, _ hash: UInt32) -> LargeObject {
        let pair = HashIndex.pair(hash, members.count)
        return LargeObject(members.appending(member), count: count + 1, index: index.inserting(pair))
    }

    /// nil when so few members would be left that the object should be written anew.
    func removing(_ place: Int, _ hash: UInt32) -> LargeObject? {
        guard count - 1 > max(JSONObject.smallLimit / 2, members.count / 2) else { return nil }
        let gap = members.withElement(place) { Member($0.pointee.key, nil) }
        let shrunk = index.removing(HashIndex.pair(hash, place))
        return LargeObject(members.replacing(place, with: gap), count: count - 1, index: shrunk)
    }
}
