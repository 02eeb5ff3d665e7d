import TestSupport
import Testing

@testable import LosslessJSON

#if !DEBUG  // what is counted is optimised code

@Suite("Costs of a thousand reloads", .enabled(if: AllocationMeter.countsOptimisedCode))
struct CostsOfReloadingTests {
    /// How many times as large the newest document is as a fresh load of its text, when all others are gone.
    static func ratio(reloads: Int = 1_000, _ text: (Int) -> String) throws -> Double {
        let last = Array(text(reloads).utf8)
        _ = try JSONDocument(parsing: last)
        let fresh = try AllocationMeter { try JSONDocument(parsing: last) }
        let newest = try AllocationMeter {
            var document = try JSONDocument(parsing: text(0))
            for number in 1...reloads { document = try document.reparsed(text(number)) }
            return document
        }
        return Double(newest.liveBytes) / Double(fresh.liveBytes)
    }

    /// Settings of which one after the other is changed, round and round.
    static func oneByOne(_ sections: Int, _ value: (Int) -> String) -> [String] {
        var values = (0..<sections * 16).map { _ in value(0) }
        return (0...1_000).map { number in
            if number > 0 { values[number * 7 % values.count] = value(number) }
            return CostTexts.settings(sections) { values[$0 * 16 + $1] }
        }
    }

    static func words(_ count: Int, _ number: Int) -> String {
        "\"" + (0..<count).map { "word \($0 &* 31 &+ number)" }.joined(separator: " ") + "\""
    }

    @Test(
        "of one value each stay below three times a fresh load, for values of every length",
        arguments: [0, 1, 2, 3, 10, 100, 1_000])
    func oneValue(length: Int) throws {
        let texts = Self.oneByOne(4) { length == 0 ? "\($0)" : Self.words(length, $0) }
        #expect(try Self.ratio { texts[$0] } <= 3)
    }

    @Test("the shortest texts that are kept apart from the file are the dearest ones", arguments: [1, 4, 40])
    func shortestSlices(sections: Int) throws {
        let numbers = Self.oneByOne(sections) { "\(100_000_000_000_000 + $0)" }
        #expect(try Self.ratio { numbers[$0] } <= 3)
        let strings = Self.oneByOne(sections) { "\"\(100_000_000_000_000 + $0)\"" }
        #expect(try Self.ratio { strings[$0] } <= 3)
        let escaped = Self.oneByOne(sections) { "\"\\n\(100 + $0)\"" }
        #expect(try Self.ratio { escaped[$0] } <= 3)
    }

    @Test("of changing lengths, at the same place and at many")
    func changingLengths() throws {
        let samePlace = try Self.ratio { number in
            CostTexts.settings(4) { $0 == 2 && $1 == 3 ? Self.words(number * 37 % 400 + 1, number) : "\"as it was\"" }
        }
        #expect(samePlace <= 3)
        let texts = Self.oneByOne(8) { Self.words($0 * 37 % 60 + 1, $0) }
        #expect(try Self.ratio { texts[$0] } <= 3)
    }

    @Test("back and forth between two texts")
    func alternating() throws {
        let (one, other) = (Self.words(300, 1), Self.words(200, 2))
        #expect(
            try Self.ratio { number in
                CostTexts.settings(4) { $0 == 1 && $1 == 1 ? (number % 2 == 0 ? one : other) : "1" }
            } <= 3)
        let (left, right) = (CostTexts.records(5), CostTexts.records(6))
        #expect(try Self.ratio { $0 % 2 == 0 ? left : right } <= 3)
    }

    @Test("of texts that grow, that shrink, and that do both")
    func growing() throws {
        func list(_ count: Int) -> String { "[" + (0..<count).map { Self.words(5, $0) }.joined(separator: ",") + "]" }
        #expect(try Self.ratio { list($0 / 4 + 1) } <= 3)
        #expect(try Self.ratio { list(260 - $0 / 4) } <= 3)
        #expect(try Self.ratio { list(abs(500 - $0) / 4 + 10) } <= 3)
    }

    @Test("of members that come and go, of sections that move, and of layouts that change")
    func moving() throws {
        #expect(try Self.ratio { number in CostTexts.members(100 + number % 60, key: CostTexts.longKey) } <= 3)
        #expect(
            try Self.ratio { number in CostTexts.members(100, key: { CostTexts.longKey(($0 * 7 + number) % 100) }) }
                <= 3)
        let text = CostTexts.records(4)
        #expect(try Self.ratio { text.replacing("\n", with: String(repeating: "\n", count: $0 % 5 + 1)) } <= 3)
    }
}

#endif
