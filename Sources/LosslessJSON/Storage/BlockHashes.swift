/// A hash of a sequence that follows from the hash of another sequence and what differs between them, wherever it is.
///
/// The hash is a polynomial: the sum of the hashes of all elements, each times a power of a base whose exponent is the
/// element's index. The elements are in blocks with a hash each. If elements are inserted, those of the blocks after them
/// get other powers without being hashed again.
final class BlockHashes: Sendable {
    /// The hash of successive elements, as if the first one had the index 0.
    private struct Block {
        var count: Int
        var hash: Residue
    }

    private static let mostElements = 32
    private static let fewestElements = 16

    private let base: Residue
    private let blocks: [Block]
    private let whole: Residue

    /// The hash of all elements.
    var hash: UInt64 { whole.value }
    var blockCount: Int { blocks.count }

    private init(_ base: Residue, _ blocks: [Block], _ whole: Residue) {
        (self.base, self.blocks, self.whole) = (base, blocks, whole)
    }

    private convenience init(_ base: Residue, _ blocks: [Block]) {
        var (sum, power) = (Residue(0), Residue(1))
        var last = (count: 0, power: Residue(1))
        for block in blocks {
            sum = sum + block.hash * power
            // Most blocks are as long as the one before.
            if block.count != last.count { last = (block.count, base.power(block.count)) }
            power = power * last.power
        }
        self.init(base, blocks, sum)
    }

    /// Hashes `count` elements, of each of which `hash` returns the hash.
    convenience init(_ base: Residue, count: Int, _ hash: (Int) -> UInt64) {
        self.init(base, BlockHashes.blocks(of: 0..<count, base, hash))
    }

    private static func blocks(of elements: Range<Int>, _ base: Residue, _ hash: (Int) -> UInt64) -> [Block] {
        let parts = (elements.count + mostElements - 1) / mostElements
        return (0..<parts).map { part in
            func bound(_ part: Int) -> Int { elements.lowerBound + elements.count * part / parts }
            var (sum, power) = (Residue(0), Residue(1))
            for index in bound(part)..<bound(part + 1) {
                sum = sum + Residue(hash(index)) * power
                power = power * base
            }
            return Block(count: bound(part + 1) - bound(part), hash: sum)
        }
    }

    /// Replaces the hashes of elements, which are in the order of their indices.
    func replacing(_ changes: [(index: Int, old: UInt64, new: UInt64)]) -> BlockHashes {
        var (blocks, whole) = (blocks, whole)
        var (block, first) = (0, 0)
        for change in changes {
            while change.index >= first + blocks[block].count {
                first += blocks[block].count
                block += 1
            }
            let difference = Residue(change.new) - Residue(change.old)
            blocks[block].hash = blocks[block].hash + difference * base.power(change.index - first)
            whole = whole + difference * base.power(change.index)
        }
        return BlockHashes(base, blocks, whole)
    }

    /// Hashes `count` elements, of which the first ones and the last ones are those of this sequence.
    func replacing(allButFirst prefix: Int, andLast suffix: Int, count: Int, _ hash: (Int) -> UInt64) -> BlockHashes {
        var first = BlockHashes.fitting(blocks, prefix)
        var last = BlockHashes.fitting(blocks.reversed(), suffix)
        // A few elements are hashed together with a block beside them, or there would be ever more small blocks.
        if 1..<BlockHashes.fewestElements ~= count - first.elements - last.elements {
            if first.blocks > 0 {
                first.blocks -= 1
                first.elements -= blocks[first.blocks].count
            } else if last.blocks > 0 {
                last.elements -= blocks[blocks.count - last.blocks].count
                last.blocks -= 1
            }
        }
        let between = BlockHashes.blocks(of: first.elements..<count - last.elements, base, hash)
        return BlockHashes(base, blocks.prefix(first.blocks) + between + blocks.suffix(last.blocks))
    }

    /// The number of blocks at the start that are among the first `limit` elements, and of their elements.
    private static func fitting(_ blocks: some Sequence<Block>, _ limit: Int) -> (blocks: Int, elements: Int) {
        var fitting = (blocks: 0, elements: 0)
        for block in blocks {
            if fitting.elements + block.count > limit { break }
            fitting.blocks += 1
            fitting.elements += block.count
        }
        return fitting
    }
}
