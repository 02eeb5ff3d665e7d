internal import Glibc

/// The bytes that all values of a type use. Those between stored properties may be anything.
///
/// They follow from the layout of structs and tuples that Swift documents: stored properties in the order of their
/// declaration, each at the next multiple of its alignment. Where a value does not show that it has this layout, all bytes
/// count as used, and values that differ only between properties count as different.
struct UsedBytes: Sendable {
    /// A bit is 1 if it is used, in the words that ``BytewiseWords`` compares.
    let words: [UInt64]

    init<Value>(of example: Value) {
        var used = [UInt8](repeating: .max, count: MemoryLayout<Value>.size)
        for offset in withUnsafeBytes(of: example, { Self.gaps(in: example, $0) }).joined() { used[offset] = 0 }
        words = BytewiseWords.words(of: used)
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
    let usedBytes: UsedBytes

    init(_ usedBytes: UsedBytes) { self.usedBytes = usedBytes }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    @inline(__always)
    func isSame(_ a: UnsafePointer<Value>, _ b: UnsafePointer<Value>) -> Bool {
        BytewiseWords.isSame(a, b, size, usedBytes.words) || isSame(a.pointee, b.pointee)
    }

    /// Compares copies, because other bytes may be unused as well. Copying a value leaves most of these as they are, which
    /// is zero here.
    func isSame(_ a: Value, _ b: Value) -> Bool {
        memset(left, 0, size)
        memset(right, 0, size)
        left.initialize(to: a)
        right.initialize(to: b)
        let isSame = BytewiseWords.isSame(left, right, size, usedBytes.words)
        left.deinitialize(count: 1)
        right.deinitialize(count: 1)
        return isSame
    }
}

/// Compares memory in words of eight bytes, as far as their bits are used. The last word ends where the memory ends, so that
/// it overlaps with the one before; memory of less than eight bytes is one word.
@usableFromInline
enum BytewiseWords {
    static func words(of memory: [UInt8]) -> [UInt64] {
        if memory.count < 8 { return [memory.reversed().reduce(0) { $0 << 8 | UInt64($1) }] }
        return memory.withUnsafeBytes { memory in
            stride(from: 0, to: memory.count, by: 8).map { start in
                memory.loadUnaligned(fromByteOffset: min(start, memory.count - 8), as: UInt64.self)
            }
        }
    }

    /// The numbers of the elements of two arrays that are not the same.
    static func differences(
        _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int, stride: Int, _ size: Int,
        _ usedBits: UnsafePointer<UInt64>
    ) -> [Int] {
        (0..<count).filter { !isSame(a + $0 * stride, b + $0 * stride, size, usedBits) }
    }

    @inlinable @inline(__always)
    static func isSame(
        _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ size: Int, _ usedBits: UnsafePointer<UInt64>
    ) -> Bool {
        if size < 8 {
            return (0..<size).allSatisfy { offset in
                let byte = a.load(fromByteOffset: offset, as: UInt8.self)
                let other = b.load(fromByteOffset: offset, as: UInt8.self)
                return (byte ^ other) & UInt8(truncatingIfNeeded: usedBits[0] >> UInt64(8 * offset)) == 0
            }
        }
        let whole = size / 8
        for number in 0..<whole where differ(a, b, 8 * number, usedBits[number]) { return false }
        return size % 8 == 0 || !differ(a, b, size - 8, usedBits[whole])
    }

    @inlinable @inline(__always)
    static func differ(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ offset: Int, _ usedBits: UInt64) -> Bool {
        let word = a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let other = b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return (word ^ other) & usedBits != 0
    }
}
