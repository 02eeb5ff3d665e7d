extension BytewiseEquatable {
    /// The keys whose values have different bytes in two dictionaries from strings to this type. Apart from the elements
    /// with the numbers `added` and `removed`, both have the same keys in the same order.
    ///
    /// It is a requirement of the protocol, and inlinable, so that the module that declares a type compiles it for that
    /// type: otherwise each step and each copy of a value is a call.
    @inlinable
    public static func _changedKeys(
        _ mine: UnsafeRawPointer, _ theirs: UnsafeRawPointer, added: [Int], removed: [Int],
        usedBits: UnsafePointer<UInt64>
    ) -> [String] {
        let mine = mine.assumingMemoryBound(to: [String: Self].self).pointee
        let theirs = theirs.assumingMemoryBound(to: [String: Self].self).pointee
        let copies = UnsafeMutablePointer<Self>.allocate(capacity: 2)
        defer { copies.deallocate() }
        var changed: [String] = []
        // In reverse order, before a number that no element has.
        var (added, removed) = ([-1] + added.reversed(), [-1] + removed.reversed())
        var (nextAdded, nextRemoved) = (added.removeLast(), removed.removeLast())
        let (end, otherEnd) = (mine.count, theirs.count)
        let (values, others) = (mine.values, theirs.values)
        // Unlike an iterator, an index copies no key, and no pair of a key and a value.
        var (index, number) = (values.startIndex, 0)
        var (other, otherNumber) = (others.startIndex, 0)
        while number < end || otherNumber < otherEnd {
            if otherNumber == nextRemoved {
                nextRemoved = removed.removeLast()
                others.formIndex(after: &other)
                otherNumber += 1
                continue
            }
            if number == nextAdded {
                nextAdded = added.removeLast()
            } else {
                copies.initialize(to: values[index])
                (copies + 1).initialize(to: others[other])
                if !BytewiseWords.isSame(copies, copies + 1, MemoryLayout<Self>.size, usedBits) {
                    changed.append(mine.keys[index])
                }
                // Takes less than `deinitialize(count: 2)`, which is a loop.
                _ = copies.move()
                _ = (copies + 1).move()
                others.formIndex(after: &other)
                otherNumber += 1
            }
            values.formIndex(after: &index)
            number += 1
        }
        return changed
    }
}
