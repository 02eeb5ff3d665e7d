extension JSONObject {
    /// The number of members that one after the other take less than an object that is built anew: each copies the members
    /// behind it, and renumbers the index.
    static let fewSplices = 8

    /// Replaces the members at some positions, at which there are no tombstones, by others; nil if a key would occur twice.
    ///
    /// Unlike ``removing(_:)``, which leaves a tombstone, and ``setting(_:to:)``, which appends, this moves the members behind
    /// them, so that positions stay those in a text.
    func replacingMembers(at positions: Range<Int>, with members: JSONObject) -> JSONObject? {
        if case .large(let large) = form, large.isWorthSplicing(positions, members.count) {
            return large.splicing(positions, with: members).map { JSONObject(form: .large($0)) }
        }
        let all =
            self.members(at: 0..<positions.lowerBound) + members.members(at: 0..<members.positionCount)
            + self.members(at: positions.upperBound..<positionCount)
        let (object, hadDuplicateKeys) = JSONObject.copying(all)
        return hadDuplicateKeys ? nil : object
    }

    /// The members at some positions, without the tombstones that sorted keys may have among them.
    func members(at positions: Range<Int>) -> [Member] {
        positions.compactMap { position in member(at: position).flatMap { $0.value == nil ? nil : $0 } }
    }

    /// Returns an object whose keys are in order with another member, whose key it does not have, at its place.
    func inserting(_ member: Member) -> JSONObject {
        var places = 0..<positionCount
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            let isBefore = Text.precedes(self.member(at: middle)!.key, member.key)
            places = isBefore ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        guard let object = replacingMembers(at: places, with: JSONObject([member])) else {
            preconditionFailure("the key is there already")
        }
        return object
    }
}

extension LargeObject {
    /// Whether changing the index takes less than building another one, for an object that stays a large one.
    fileprivate func isWorthSplicing(_ positions: Range<Int>, _ newCount: Int) -> Bool {
        positions.count + newCount <= count / 16 && count - positions.count + newCount > JSONObject.smallLimit
    }

    /// Replaces the members at some positions, at which there are no tombstones; nil if a key would occur twice. Keeps the
    /// pages before them; copies the members after them, without hashing their keys.
    fileprivate func splicing(_ positions: Range<Int>, with object: JSONObject) -> LargeObject? {
        let new = object.members(at: 0..<object.positionCount)
        let hashes = new.map { TextHash.of($0.key) }
        let isTaken = zip(new, hashes).contains { member, hash in
            position(of: member.key, hash).map { !positions.contains($0) } ?? false
        }
        if isTaken { return nil }
        var index = index
        for position in positions {
            index = index.removing(HashIndex.pair(TextHash.of(members[position].key), position))
        }
        index = index.moving(from: positions.upperBound, by: new.count - positions.count)
        for (number, hash) in hashes.enumerated() {
            index = index.inserting(HashIndex.pair(hash, positions.lowerBound + number))
        }
        return LargeObject(
            members.replacing(positions, with: new), count: count - positions.count + new.count, index: index)
    }
}
