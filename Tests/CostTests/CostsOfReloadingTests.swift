import TestSupport
import Testing

@testable import LosslessJSON

#if !DEBUG  // the limits apply to optimized code

@Suite("Memory after a thousand reloads", .enabled(if: AllocationMeter.countsOptimizedCode))
struct CostsOfReloadingTests {
    /// The memory of the latest document as a multiple of a freshly parsed one, after all others are released.
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

    /// Settings that are changed one after the other, cyclically.
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
        "Reloads that change one value each take at most three times the memory of a fresh load",
        arguments: [0, 1, 2, 3, 10, 100, 1_000])
    func oneValue(length: Int) throws {
        let texts = Self.oneByOne(4) { length == 0 ? "\($0)" : Self.words(length, $0) }
        #expect(try Self.ratio { texts[$0] } <= 3)
    }

    @Test(
        "Reloads that change the shortest values stored as slices take at most three times a fresh load",
        arguments: [1, 4, 40])
    func shortestSlices(sections: Int) throws {
        let numbers = Self.oneByOne(sections) { "\(100_000_000_000_000 + $0)" }
        #expect(try Self.ratio { numbers[$0] } <= 3)
        let strings = Self.oneByOne(sections) { "\"\(100_000_000_000_000 + $0)\"" }
        #expect(try Self.ratio { strings[$0] } <= 3)
        let escaped = Self.oneByOne(sections) { "\"\\n\(100 + $0)\"" }
        #expect(try Self.ratio { escaped[$0] } <= 3)
    }

    @Test("Reloads with values of changing length take at most three times the memory of a fresh load")
    func changingLengths() throws {
        let samePlace = try Self.ratio { number in
            CostTexts.settings(4) { $0 == 2 && $1 == 3 ? Self.words(number * 37 % 400 + 1, number) : "\"as it was\"" }
        }
        #expect(samePlace <= 3)
        let texts = Self.oneByOne(8) { Self.words($0 * 37 % 60 + 1, $0) }
        #expect(try Self.ratio { texts[$0] } <= 3)
    }

    @Test("Reloads that alternate between two texts take at most three times the memory of a fresh load")
    func alternating() throws {
        let (one, other) = (Self.words(300, 1), Self.words(200, 2))
        #expect(
            try Self.ratio { number in
                CostTexts.settings(4) { $0 == 1 && $1 == 1 ? (number % 2 == 0 ? one : other) : "1" }
            } <= 3)
        let (left, right) = (CostTexts.records(5), CostTexts.records(6))
        #expect(try Self.ratio { $0 % 2 == 0 ? left : right } <= 3)
    }

    @Test("Reloads of a growing or shrinking text take at most three times the memory of a fresh load")
    func growing() throws {
        func list(_ count: Int) -> String { "[" + (0..<count).map { Self.words(5, $0) }.joined(separator: ",") + "]" }
        #expect(try Self.ratio { list($0 / 4 + 1) } <= 3)
        #expect(try Self.ratio { list(260 - $0 / 4) } <= 3)
        #expect(try Self.ratio { list(abs(500 - $0) / 4 + 10) } <= 3)
    }

    @Test("Reloads with added, removed or moved members or new layout take at most three times a fresh load")
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
