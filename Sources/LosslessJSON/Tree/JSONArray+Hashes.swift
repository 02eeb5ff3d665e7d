internal import Synchronization

/// A kind of hash of an array's elements.
package enum ElementHash: Sendable {
    /// With the seed of this process.
    case seeded
    /// The same in every process.
    case portable

    // Random in each process, like the hashes of the elements: with a fixed base, anybody could write a file of different
    // arrays that have the same hash.
    private static let seededBase = Residue(UInt64(bitPattern: Int64("base".hashValue)))
    private static let portableBase = Residue(0x9E37_79B9_7F4A_7C15)

    fileprivate var base: Residue { self == .seeded ? ElementHash.seededBase : ElementHash.portableBase }
}

/// The hashes of an array's elements, as far as they were needed.
struct ElementHashes: ~Copyable, Sendable {
    private let seeded = AtomicLazyReference<BlockHashes>()
    private let portable = AtomicLazyReference<BlockHashes>()

    subscript(kind: ElementHash) -> BlockHashes? { kind == .seeded ? seeded.load() : portable.load() }

    func keep(_ hashes: BlockHashes, _ kind: ElementHash) {
        _ = kind == .seeded ? seeded.storeIfNil(hashes) : portable.storeIfNil(hashes)
    }
}

extension JSONArray {
    /// A hash of all elements in their order, for comparing versions of an array that are not kept; nil for a small
    /// array, which is hashed as fast.
    ///
    /// The hash of the next version follows from that of this one, the elements that changed, and some beside those that
    /// were inserted or removed, unless as many were inserted as removed. It is kept with the array.
    ///
    /// - Parameters:
    ///   - old: A version whose hash may be known, and with which this one shares elements.
    ///   - hash: The hash of an element; always the same function for one `kind`.
    package func hash(_ kind: ElementHash, since old: JSONArray? = nil, _ hash: (JSON) -> UInt64) -> UInt64? {
        guard case .large(let large) = form else { return nil }
        if let known = large.hashes[kind] { return known.hash }
        let hashes =
            hashesOfChanges(kind, since: old, hash) ?? BlockHashes(kind.base, count: count) { hash(self[$0]) }
        large.hashes.keep(hashes, kind)
        return hashes.hash
    }

    /// nil if the old hashes are unknown, or if so many elements changed that hashing all of them costs less.
    private func hashesOfChanges(
        _ kind: ElementHash, since old: JSONArray?, _ hash: (JSON) -> UInt64
    ) -> BlockHashes? {
        guard let old, case .large(let before) = old.form, let known = before.hashes[kind] else { return nil }
        if count == old.count {
            let changes = old.differences(to: self)
            if changes.count > count / 2 { return nil }
            return known.replacing(changes.map { ($0.index, hash($0.old), hash($0.new)) })
        }
        let (prefix, suffix) = JSONArray.commonPrefixAndSuffix(old, self, JSONArray.isIdentical)
        if count - prefix - suffix > count / 2 { return nil }
        return known.replacing(allButFirst: prefix, andLast: suffix, count: count) { hash(self[$0]) }
    }
}
