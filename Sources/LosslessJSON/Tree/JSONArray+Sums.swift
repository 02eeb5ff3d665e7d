internal import Synchronization

/// A kind of hash that is summed over the elements of an array.
package enum ElementHash {
    /// With the seed of this process.
    case seeded
    /// The same in every process.
    case portable
}

/// The sums of the hashes of an array's elements, as far as they were needed; 0 if they were not.
struct ElementSums: ~Copyable, Sendable {
    private let seeded = Atomic<UInt64>(0)
    private let portable = Atomic<UInt64>(0)

    subscript(kind: ElementHash) -> UInt64 {
        get { kind == .seeded ? seeded.load(ordering: .relaxed) : portable.load(ordering: .relaxed) }
        nonmutating set {
            switch kind {
            case .seeded: seeded.store(newValue, ordering: .relaxed)
            case .portable: portable.store(newValue, ordering: .relaxed)
            }
        }
    }
}

extension JSONArray {
    /// The sum of the hashes of all elements, for comparing versions of an array that are not kept; nil for a small
    /// array, which is hashed as fast.
    ///
    /// Unlike a hash of the whole, the sum of the next version follows from that of this one and the elements that
    /// changed. It is kept with the array.
    ///
    /// - Parameters:
    ///   - old: A version whose sum may be known, and with which this one shares elements.
    ///   - hash: The hash of an element together with its index; always the same function for one `kind`.
    package func sum(
        _ kind: ElementHash, since old: JSONArray? = nil, _ hash: (Int, JSON) -> UInt64
    ) -> UInt64? {
        guard case .large(let large) = form else { return nil }
        let known = large.sums[kind]
        if known != 0 { return known }
        let sum = sumOfChanges(kind, since: old, hash) ?? sumOfAll(hash)
        large.sums[kind] = sum
        return sum
    }

    private func sumOfAll(_ hash: (Int, JSON) -> UInt64) -> UInt64 {
        var (sum, index): (UInt64, Int) = (0, 0)
        forEachElement { element in
            sum &+= hash(index, copy element)
            index += 1
        }
        return sum
    }

    /// nil if the old sum is unknown, or if so many elements changed that hashing all of them costs less.
    private func sumOfChanges(
        _ kind: ElementHash, since old: JSONArray?, _ hash: (Int, JSON) -> UInt64
    ) -> UInt64? {
        guard case .large(let large) = form, case .large(let before) = old?.form, before.sums[kind] != 0 else {
            return nil
        }
        var changes: [(index: Int, old: JSON?, new: JSON?)] = []
        before.elements.forEachUnshared(with: large.elements) { index, mine, theirs in
            if let mine, let theirs, mine.isIdentical(to: theirs) { return }
            changes.append((index, mine, theirs))
        }
        if changes.count > count / 2 { return nil }
        return changes.reduce(before.sums[kind]) { sum, change in
            sum &- (change.old.map { hash(change.index, $0) } ?? 0) &+ (change.new.map { hash(change.index, $0) } ?? 0)
        }
    }
}
