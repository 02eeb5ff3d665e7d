internal import Glibc

/// The bytes that all values of a type use. Those between stored properties may be anything.
///
/// They follow from the layout of structs and tuples that Swift documents: stored properties in the order of their
/// declaration, each at the next multiple of its alignment. Where a value does not show that it has this layout, all bytes
/// count as used, and values that differ only between properties count as different.
struct UsedBytes: Sendable {
    /// A bit is 1 if it is used, in words of the memory of a value. Empty if all are.
    fileprivate let words: [UInt64]

    init<Value>(of example: Value) {
        let gaps = withUnsafeBytes(of: example) { Self.gaps(in: example, $0) }
        if gaps.isEmpty {
            words = []
            return
        }
        var words = [UInt64](repeating: .max, count: (MemoryLayout<Value>.size + 7) / 8)
        words.withUnsafeMutableBytes { bytes in
            for offset in gaps.joined() { bytes[offset] = 0 }
        }
        self.words = words
    }

    /// The unused bytes between the stored properties of `value`, whose bytes are `memory`. None if its properties are not
    /// where the documented layout puts them.
    fileprivate static func gaps<Content>(in value: Content, _ memory: UnsafeRawBufferPointer) -> [Range<Int>] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple, !(value is any CustomReflectable) else {
            return []
        }
        var walk = LayoutWalk(memory: memory)
        for child in mirror.children where !walk.addProperty(child.value) { return [] }
        return walk.end == memory.count ? walk.gaps : []
    }
}

/// A walk over the stored properties of a value in its memory.
private struct LayoutWalk {
    let memory: UnsafeRawBufferPointer
    var end = 0
    var gaps: [Range<Int>] = []

    /// Adds the next property; false if something else is in its place.
    mutating func addProperty<Property>(_ value: Property) -> Bool {
        let alignment = MemoryLayout<Property>.alignment
        let start = (end + alignment - 1) / alignment * alignment
        let next = start + MemoryLayout<Property>.size
        guard next <= memory.count else { return false }
        let memory = UnsafeRawBufferPointer(rebasing: memory[start..<next])
        let inner = UsedBytes.gaps(in: value, memory)
        // In another layout something else is there. What has gaps has been compared by its parts.
        if inner.isEmpty, !withUnsafeBytes(of: value, { memory.elementsEqual($0) }) { return false }
        if start > end { gaps.append(end..<start) }
        gaps += inner.map { $0.lowerBound + start..<$0.upperBound + start }
        end = next
        return true
    }
}

/// Compares values by the bytes that they use.
struct BytewiseComparison<Value>: ~Copyable {
    private let left = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let right = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let size = MemoryLayout<Value>.size
    private let usedBytes: UsedBytes

    init(_ usedBytes: UsedBytes) { self.usedBytes = usedBytes }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    @inline(__always)
    func isSame(_ a: UnsafePointer<Value>, _ b: UnsafePointer<Value>) -> Bool {
        hasSameBytes(a, b) || isSame(a.pointee, b.pointee)
    }

    /// Compares copies, because other bytes may be unused as well. Copying a value leaves most of these as they are, which
    /// is zero here.
    func isSame(_ a: Value, _ b: Value) -> Bool {
        memset(left, 0, size)
        memset(right, 0, size)
        left.initialize(to: a)
        right.initialize(to: b)
        return isSameCopy()
    }

    /// Compares the values at two positions of dictionaries, which are copied once, to where they are compared.
    @inline(__always)
    func isSame<Key>(
        _ mine: Dictionary<Key, Value>.Values, _ index: Dictionary<Key, Value>.Index,
        _ theirs: Dictionary<Key, Value>.Values, _ other: Dictionary<Key, Value>.Index
    ) -> Bool {
        left.initialize(to: mine[index])
        right.initialize(to: theirs[other])
        return isSameCopy() || isSame(mine[index], theirs[other])
    }

    /// Compares the two copies and releases them.
    @inline(__always)
    private func isSameCopy() -> Bool {
        let isSame = hasSameBytes(left, right)
        // Takes less than `deinitialize(count: 1)`, which is a loop.
        _ = left.move()
        _ = right.move()
        return isSame
    }

    @inline(__always)
    private func hasSameBytes(_ a: UnsafePointer<Value>, _ b: UnsafePointer<Value>) -> Bool {
        memcmp(a, b, size) == 0 || !usedBytes.words.isEmpty && hasSameUsedBytes(a, b)
    }

    private func hasSameUsedBytes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
        usedBytes.words.withUnsafeBufferPointer { words in
            for number in 0..<size / 8 {
                let word = a.loadUnaligned(fromByteOffset: 8 * number, as: UInt64.self)
                let other = b.loadUnaligned(fromByteOffset: 8 * number, as: UInt64.self)
                if (word ^ other) & words[number] != 0 { return false }
            }
            return (size / 8 * 8..<size).allSatisfy { offset in
                let isUsed = words[offset / 8] >> UInt64(offset % 8 * 8) & 1 == 1
                let (byte, other) = (
                    a.load(fromByteOffset: offset, as: UInt8.self), b.load(fromByteOffset: offset, as: UInt8.self)
                )
                return !isUsed || byte == other
            }
        }
    }
}
