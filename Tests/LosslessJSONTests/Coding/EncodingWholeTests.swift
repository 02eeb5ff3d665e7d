import Testing

@testable import LosslessJSON

@Suite("Types that are always encoded as a whole")
struct EncodingWholeTests {
    private typealias Item = CollectionsRoot.Item
    private typealias Kind = CollectionsRoot.Kind
    private typealias Shape = CollectionsRoot.Shape
    private typealias Unmarked = CollectionsRoot.Unmarked

    private final class Object: Codable, BytewiseEquatable {
        var number: Int

        init(_ number: Int) { self.number = number }
    }

    private struct Holder: Encodable, BytewiseEquatable { var object: Object }

    private struct PointerHolder: Encodable, BytewiseEquatable {
        let pointer: UnsafeMutablePointer<Int>

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(pointer.pointee)
        }
    }

    private struct ClosureHolder: Encodable, BytewiseEquatable {
        let number: () -> Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number())
        }
    }

    private struct AnyHolder: Encodable, BytewiseEquatable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private enum Wrapper: Encodable, BytewiseEquatable {
        case object(Object)
        case number(Int)
    }

    @Test("A change behind a reference is encoded, whatever the type says of itself") func references() throws {
        let object = Object(1)
        let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        pointer.initialize(to: 1)
        defer { pointer.deallocate() }
        func check<Element: Encodable>(_ element: Element) throws {
            let (array, dictionary) = (EncodingPair(), EncodingPair())
            let elements = Array(repeating: element, count: 20)
            let members = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", element) })
            for _ in 0..<3 {
                try array.encode(elements)
                try dictionary.encode(members)
                object.number += 1
                pointer.pointee += 1
            }
        }
        try check(object)
        try check(Holder(object: object))
        try check([Holder(object: object)])
        try check(Holder?.some(Holder(object: object)))
        try check(Wrapper.object(object))
        try check(PointerHolder(pointer: pointer))
        try check(ClosureHolder { object.number })
        try check(AnyHolder(value: object))
    }

    @Test("A change behind a reference is encoded, also if the first element refers to nothing at first")
    func laterReference() throws {
        let (object, pair) = (Object(1), EncodingPair())
        var elements = (0..<20).map { Wrapper.number($0) }
        for round in 0..<4 {
            try pair.encode(elements)
            elements[0] = round.isMultiple(of: 2) ? .object(object) : .number(1)
            try pair.encode(elements)
            object.number += 1
            try pair.encode(elements)
        }
    }

    @Test("Types that do not say that their bytes are enough are encoded as a whole") func unmarked() throws {
        #expect(Bytewise.canCompare(Item(1)) && Bytewise.canCompare(["a": [1.5]]) && Bytewise.canCompare(Kind.two))
        #expect(Bytewise.canCompare(Shape.label("a", [1])) && Bytewise.canCompare(String?.none))
        #expect(!Bytewise.canCompare(Unmarked(1)) && !Bytewise.canCompare([Unmarked(1)]))
        #expect(!Bytewise.canCompare(Object(1)) && !Bytewise.canCompare(Wrapper.object(Object(1))))
        #expect(!Bytewise.canCompare(1 as any Encodable as Any))
        let used = UsedBytes(of: Item(1))
        #expect(Bytewise.canCompare(Item(1), like: Item(1), used) && Bytewise.canCompare(Item(1), like: Item(2), used))
        let usedByWrapper = UsedBytes(of: Wrapper.number(1))
        #expect(!Bytewise.canCompare(Wrapper.object(Object(1)), like: .number(1), usedByWrapper))
    }
}
