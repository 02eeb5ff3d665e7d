import TestSupport
import Testing

@testable import LosslessJSON

@Suite("The bytes that values of a type use")
struct UsedBytesTests {
    private struct Gaps: BytewiseEquatable, Equatable {
        struct Inner: BytewiseEquatable, Equatable {
            var isSet = false
            var number: Int32 = 0
        }

        var isFirst = false
        var name = ""
        var inner = Inner()
        var tags: [String] = []
        var pair: (UInt8, UInt16) = (0, 0)

        static func == (a: Gaps, b: Gaps) -> Bool {
            (a.isFirst, a.name, a.inner, a.tags, a.pair.0, a.pair.1)
                == (b.isFirst, b.name, b.inner, b.tags, b.pair.0, b.pair.1)
        }
    }

    /// The memory of a copy of a value, which was filled with something else before.
    private final class Copy<Value> {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        init(_ value: Value, over byte: UInt8) {
            UnsafeMutableRawPointer(memory).initializeMemory(
                as: UInt8.self, repeating: byte, count: MemoryLayout<Value>.stride)
            memory.initialize(to: value)
        }

        deinit {
            memory.deinitialize(count: 1)
            memory.deallocate()
        }
    }

    private func isSame<Value>(_ a: Value, _ b: Value, _ usedBytes: UsedBytes) -> Bool {
        let comparison = BytewiseComparison<Value>(usedBytes)
        let (a, b) = (Copy(a, over: 0xAA), Copy(b, over: 0x55))
        defer { extendLifetime((a, b)) }
        return comparison.isSame(a.memory, b.memory)
    }

    @Test("What is between stored properties is not compared, and each of them is") func gaps() {
        let value = Gaps(name: "a name of many letters", tags: ["a", "b"], pair: (3, 4))
        let usedBytes = UsedBytes(of: value)
        #expect(isSame(value, value, usedBytes))
        let changes: [(inout Gaps) -> Void] = [
            { $0.isFirst = true }, { $0.name = "another name of many letters" }, { $0.name = "short" },
            { $0.inner.isSet = true }, { $0.inner.number = .min }, { $0.tags[1] = "c" }, { $0.tags = [] },
            { $0.pair.0 = 255 }, { $0.pair.1 = 0xFF00 },
        ]
        for change in changes {
            var changed = value
            change(&changed)
            #expect(!isSame(value, changed, usedBytes) && !isSame(changed, value, usedBytes), "\(changed)")
            #expect(isSame(changed, changed, UsedBytes(of: changed)))
        }
    }

    @Test("A value that fills its memory has no other bytes, whatever its size") func noGaps() {
        struct Odd: BytewiseEquatable {
            var name: String
            var last: (UInt8, UInt8, UInt8)
        }
        #expect(MemoryLayout<Odd>.size == 19)
        let usedBytes = UsedBytes(of: Odd(name: "n", last: (1, 2, 3)))
        for last in [(0, 2, 3), (1, 0, 3), (1, 2, 0)] as [(UInt8, UInt8, UInt8)] {
            #expect(!isSame(Odd(name: "n", last: (1, 2, 3)), Odd(name: "n", last: last), usedBytes))
        }
        #expect(isSame(Odd(name: "n", last: (1, 2, 3)), Odd(name: "n", last: (1, 2, 3)), usedBytes))
    }

    @Test("Memory of any size is compared in its used bytes, and in no others", arguments: 0...41)
    func words(size: Int) {
        var random = SeededGenerator(UInt64(size))
        let used = (0..<size).map { _ in UInt8.random(in: 0...1, using: &random) * 255 }
        let words = BytewiseWords.words(of: used)
        // Elements of an array, each with a byte after it that is not its own.
        let stride = size + 1
        let memory = (0..<size * stride).map { _ in UInt8.random(in: 0...255, using: &random) }
        var changed = memory
        // In each element another byte.
        for offset in 0..<size { changed[offset * stride + offset] ^= 1 << UInt8(offset % 8) }
        for element in 0..<size { changed[element * stride + size] ^= 255 }
        let differences = memory.withUnsafeBytes { memory in
            changed.withUnsafeBytes { changed in
                size == 0
                    ? []
                    : BytewiseWords.differences(
                        memory.baseAddress!, changed.baseAddress!, size, stride: stride, size, words)
            }
        }
        #expect(differences == (0..<size).filter { used[$0] == 255 })
    }

    private enum Choice: BytewiseEquatable, Equatable {
        case none
        case one(String, Bool)
        case other(Int8)
    }
    private final class Object: BytewiseEquatable, Sendable {}
    private struct Hidden: BytewiseEquatable, CustomReflectable {
        var isFirst = false
        var name = "a name of many letters"
        var customMirror: Mirror { Mirror(self, children: ["name": isFirst], displayStyle: .struct) }
    }
    private struct With<Content>: BytewiseEquatable {
        var isFirst = false
        var content: Content
        var name = "a name of many letters"
    }
    /// With an integer in the first property, the second one would seem to be where it is.
    private struct Pair: BytewiseEquatable {
        var first: Any
        var second: UInt128
        init(first: Any, _ second: UInt128) { (self.first, self.second) = (first, second) }
    }
    private struct FortyBytes: Codable, Equatable {
        var isFirst = true
        var numbers = [1, 2, 3, 4].map { $0 }
        var name = "a name"
        var last = 1
    }

    /// Each of many values, in memory that was filled with something else, differs from each of the others.
    private func expectDistinct<Value>(_ values: [Value]) {
        for (number, value) in values.enumerated() {
            let usedBytes = UsedBytes(of: value)
            for (place, other) in values.enumerated() where place != number {
                #expect(!isSame(value, other, usedBytes) && !isSame(other, value, usedBytes), "\(value), \(other)")
            }
        }
    }

    @Test("Cases, references, existentials and descriptions of their own count with all of their bytes")
    func opaque() {
        let choices: [Choice] = [.none, .one("a", true), .one("a", false), .one("b", true), .other(1), .other(2)]
        expectDistinct(choices)
        expectDistinct(choices.map { With(content: $0) })
        expectDistinct(([nil, 0, 1, -1] as [Int?]).map { With(content: $0) })
        expectDistinct(([nil, "", "a", "a name of many letters"] as [String?]).map { With(content: $0) })
        expectDistinct([With(content: Object()), With(content: Object())])
        expectDistinct(
            ([1, 2, true, "a", FortyBytes(), FortyBytes()] as [any Codable & Sendable]).map { With(content: $0) })
        expectDistinct(([1, 2, true, "a", FortyBytes(), FortyBytes()] as [Any]).map { With(content: $0) })
        expectDistinct([1 as Any, UInt(2) as Any, true as Any].flatMap { [Pair(first: $0, 0), Pair(first: $0, 1)] })
        expectDistinct([Hidden(), Hidden(isFirst: true), Hidden(name: "b")].map { With(content: $0) })
        expectDistinct([8, 16].map { With(content: UnsafeRawPointer(bitPattern: $0)!) })
    }

    @Test("Elements of an array and a dictionary are found by them", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        struct Record: Codable, Equatable, BytewiseEquatable {
            var isFirst: Bool
            var number: Int
            var isNext: Bool
            var name: String
        }
        struct Root: Codable, Equatable {
            var list: [Record]
            var table: [String: Record]
        }
        var random = SeededGenerator(seed)
        func record() -> Record {
            Record(
                isFirst: random.chance(50), number: random.below(3), isNext: random.chance(50),
                name: random.pick(["", "short", "a name of many letters"]))
        }
        var root = Root(
            list: (0..<40).map { _ in record() },
            table: Dictionary(uniqueKeysWithValues: (0..<40).map { ("key \($0)", record()) }))
        let (encoder, memory) = (JSONValueEncoder(), EncodingMemory())
        for step in 0..<100 {
            // Copied element by element, or as they are.
            if random.chance(50) { root.list = root.list.map { $0 } }
            if random.chance(30) { root.table = root.table.mapValues { $0 } }
            for _ in 0..<random.below(3) {
                root.list[random.below(root.list.count)] = record()
                root.table["key \(random.below(50))"] = random.chance(80) ? record() : nil
            }
            let encoded = try encoder.encode(root, defaults: nil, memory)
            #expect(try encoded == encoder.encode(root), "seed \(seed), step \(step)")
        }
    }
}
