import TestSupport
import Testing

@testable import LosslessJSON

@Suite("A paged vector")
struct PagedVectorTests {
    /// Around one page, one level of pages, and two.
    static let edges = Array(1...66) + [1_023, 1_024, 1_025, 1_056, 1_057, 32_767, 32_768, 32_769, 32_801]

    static func vector(_ elements: some Sequence<Int>) -> PagedVector<Int> {
        let all = Array(elements)
        let start = UnsafeMutablePointer<Int>.allocate(capacity: all.count)
        defer { start.deallocate() }
        start.initialize(from: all, count: all.count)
        return PagedVector(moving: start, all.count)
    }

    static func contents(_ vector: PagedVector<Int>) -> [Int] {
        var all: [Int] = []
        vector.visit { all.append($0) }
        return all
    }

    @Test("A vector built at once has every element in order and only its last page partly filled", arguments: edges)
    func building(count: Int) {
        let vector = PagedVectorTests.vector(0..<count)
        #expect(vector.fault == nil)
        #expect(PagedVectorTests.contents(vector).elementsEqual(0..<count))
        #expect((0..<count).allSatisfy { vector[$0] == $0 })
    }

    @Test("Elements in the middle are replaced by others, and the pages before them stay", arguments: edges)
    func splicing(count: Int) {
        let vector = PagedVectorTests.vector(0..<count)
        for lower in Set([0, 1, 31, 32, 33, count / 2, count - 1, count]).filter({ $0 <= count }) {
            for (removed, inserted) in [(0, 1), (1, 0), (1, 2), (40, 3), (0, 70)] {
                let range = lower..<min(count, lower + removed)
                let new = (0..<inserted).map { -1 - $0 }
                if range.count == count, new.isEmpty { continue }
                var expected = Array(0..<count)
                expected.replaceSubrange(range, with: new)
                let result = vector.replacing(range, with: new)
                #expect(result.fault == nil, "\(range) of \(count)")
                #expect(PagedVectorTests.contents(result) == expected, "\(range) of \(count)")
                let suffix = result.commonSuffix(with: vector, atMost: min(result.count, count)) {
                    $0.pointee == $1.pointee
                }
                #expect(suffix == count - range.upperBound + (range.isEmpty && inserted == 0 ? lower : 0))
            }
        }
        #expect(PagedVectorTests.contents(vector).elementsEqual(0..<count))
        #expect(vector.commonSuffix(with: vector, atMost: count / 2) { $0.pointee == $1.pointee } == count / 2)
    }

    @Test("Appending one element at a time builds full pages and leaves earlier versions unchanged")
    func growing() {
        var versions = [PagedVectorTests.vector(0..<1)]
        for next in 1..<2_200 { versions.append(versions.last!.appending(next)) }
        for (index, version) in versions.enumerated() where index % 7 == 0 || PagedVectorTests.edges.contains(index) {
            #expect(version.fault == nil, "\(index + 1) elements")
            #expect(PagedVectorTests.contents(version).elementsEqual(0...index), "\(index + 1) elements")
        }
    }

    @Test("Appending to two full levels of pages adds a third", arguments: [32_767, 32_768, 32_769])
    func growingTall(count: Int) {
        let grown = PagedVectorTests.vector(0..<count).appending(count)
        #expect(grown.fault == nil)
        #expect(grown.height == (count < 32_768 ? 2 : 3))
        #expect(PagedVectorTests.contents(grown).elementsEqual(0...count))
    }

    @Test("Replacing an element copies only the page that contains it", arguments: [1, 32, 33, 1_025])
    func replacing(count: Int) {
        let old = PagedVectorTests.vector(0..<count)
        for index in [0, count / 2, count - 1] {
            let new = old.replacing(index, with: -1)
            var expected = Array(0..<count)
            expected[index] = -1
            #expect(new.fault == nil)
            #expect(PagedVectorTests.contents(new) == expected)
            #expect(PagedVectorTests.contents(old).elementsEqual(0..<count))
            var visited: [Int] = []
            old.forEachUnshared(with: new) { place, _, _ in visited.append(place) }
            let page = index / 32 * 32
            #expect(visited == Array(page..<min(page + 32, count)), "only the changed page is visited")
        }
    }

    @Test("Replacing some elements shares all other pages")
    func replacingSome() {
        let old = PagedVectorTests.vector(0..<5_000)
        let same = old.replacingElements { _, _ in nil }
        #expect(same.isIdentical(to: old))
        let new = old.replacingElements { index, element in index % 1_000 == 5 ? -element : nil }
        #expect(new.fault == nil)
        #expect(PagedVectorTests.contents(new) == (0..<5_000).map { $0 % 1_000 == 5 ? -$0 : $0 })
        var visited = 0
        old.forEachUnshared(with: new) { _, _, _ in visited += 1 }
        #expect(visited == 5 * 32)
    }

    @Test("Replacing elements together gives the same as one by one, and copies only pages that contain them")
    func replacingTogether() {
        for (count, step) in [(1, 1), (32, 31), (33, 32), (1_024, 1), (1_025, 40), (5_000, 7), (33_000, 1_024)] {
            let old = PagedVectorTests.vector(0..<count)
            let indices = Array(stride(from: count / 2 % step, to: count, by: step))
            let new = old.replacing(indices.map { (index: $0, element: -1) })
            let expected = indices.reduce(old) { $0.replacing($1, with: -1) }
            #expect(new.fault == nil)
            #expect(PagedVectorTests.contents(new) == PagedVectorTests.contents(expected), "\(count), every \(step)")
            var visited: Set<Int> = []
            old.forEachUnshared(with: new) { place, _, _ in visited.insert(place / 32) }
            #expect(visited == Set(indices.map { $0 / 32 }), "\(count), every \(step)")
        }
        let old = PagedVectorTests.vector(0..<100)
        #expect(old.replacing([]).isIdentical(to: old))
    }

    @Test("Comparing vectors of different lengths visits every position, with nil beyond the shorter one")
    func lengths() {
        let sizes = [1, 31, 32, 33, 64, 65, 1_023, 1_024, 1_025, 1_100]
        for left in sizes {
            for right in sizes {
                let (mine, theirs) = (PagedVectorTests.vector(0..<left), PagedVectorTests.vector(0..<right))
                var places: [Int] = []
                var isRight = true
                mine.forEachUnshared(with: theirs) { place, a, b in
                    places.append(place)
                    isRight = isRight && a == (place < left ? place : nil) && b == (place < right ? place : nil)
                }
                #expect(isRight && places.elementsEqual(0..<max(left, right)), "\(left) against \(right)")
            }
        }
    }

    @Test("The first difference is found wherever it is, and the same elements are left out")
    func differences() {
        for count in [33, 1_024, 1_030, 5_000] {
            let old = PagedVectorTests.vector(0..<count)
            for index in [0, 31, 32, count / 2, count - 1] {
                // Rebuilt, so that no page is shared.
                let new = PagedVectorTests.vector((0..<count).map { $0 == index ? -1 : $0 })
                var found: [Int] = []
                old.forEachDifference(
                    from: new, { $0.pointee == $1.pointee }, { place, _, _ in found.append(place) })
                #expect(found == [index] && old.firstDifference(from: new) { $0.pointee == $1.pointee } == index)
            }
            for longer in [count + 1, 2 * count, 40 * count] {
                #expect(
                    old.firstDifference(from: PagedVectorTests.vector(0..<longer)) { $0.pointee == $1.pointee } == nil)
                let other = PagedVectorTests.vector((0..<longer).map { $0 == count - 1 ? -1 : $0 })
                #expect(old.firstDifference(from: other) { $0.pointee == $1.pointee } == count - 1)
            }
        }
    }

    @Test("Pages of the first elements are shared with the vector that is built after them")
    func pages() {
        for count in [33, 1_024, 1_030, 40_000] {
            let old = PagedVectorTests.vector(0..<count)
            for kept in [0, 31, 32, 33, count / 2, count] {
                let pages = old.pages(within: kept)
                #expect(pages.count == kept / 32)
                let rest = Array(pages.count * 32..<count + 5)
                let new = withUnsafeTemporaryAllocation(of: Int.self, capacity: rest.count) { room in
                    _ = room.initialize(from: rest)
                    return PagedVector(after: pages, moving: room.baseAddress!, rest.count)
                }
                #expect(new.fault == nil && PagedVectorTests.contents(new).elementsEqual(0..<count + 5))
                let isShared = (0..<pages.count * 32).allSatisfy { index in
                    old.withElement(index) { $0 } == new.withElement(index) { $0 }
                }
                #expect(isShared)
            }
        }
    }

    @Test("Comparing a vector with its extension visits only the appended elements", arguments: [32, 1_024, 2_048])
    func appendedPart(count: Int) {
        let old = PagedVectorTests.vector(0..<count)
        let new = old.appending(count).appending(count + 1)
        var visited: [Int] = []
        new.forEachUnshared(with: old) { place, _, _ in visited.append(place) }
        #expect(visited == [count, count + 1])
    }

    @Test(
        "Random appends and replacements match an array and leave earlier versions unchanged",
        arguments: SeededGenerator.seeds)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed)
        var model = Array(0..<random.pick([1, 20, 31, 1_000, 1_020]))
        var vector = PagedVectorTests.vector(model)
        var versions = [(vector, model)]
        for step in 0..<400 {
            let element = random.below(1_000_000)
            if random.chance(40) {
                vector = vector.appending(element)
                model.append(element)
            } else {
                let index = random.below(model.count)
                vector = vector.replacing(index, with: element)
                model[index] = element
            }
            if let fault = vector.fault {
                Issue.record("\(fault), seed \(seed), step \(step)")
                return
            }
            versions.append((vector, model))
        }
        for (step, (vector, model)) in versions.enumerated() where PagedVectorTests.contents(vector) != model {
            Issue.record("version \(step) changed, seed \(seed)")
            return
        }
    }
}

extension PagedVector {
    /// Calls `body` with each index whose page two vectors do not share.
    fileprivate func forEachUnshared(with other: PagedVector, _ body: (Int, Element?, Element?) -> Void) {
        forEachDifference(from: other, { _, _ in false }, body)
    }
}
