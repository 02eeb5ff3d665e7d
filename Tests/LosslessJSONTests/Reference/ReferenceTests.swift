import LosslessJSON
import TestSupport
import Testing

/// The library and a second, simple parser must agree on every text.
@Suite struct ReferenceTests {
    private static let count: UInt64 = Thoroughness.isFull ? 1_500 : 400

    @Test("Random documents are parsed like the reference parser does", arguments: [JSONDocument.Dialect.json, .jsonc])
    func documents(dialect: JSONDocument.Dialect) throws {
        for seed in 1...Self.count {
            var random = RandomJSON(seed: seed, isLenient: dialect == .jsonc, duplicatesKeys: seed % 3 == 0)
            let text = random.document()
            let reference = try #require(ReferenceJSON(parsing: text, isLenient: dialect == .jsonc), "seed \(seed)")
            let document = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect))
            #expect(reference.agrees(with: document.value), "seed \(seed)")
            #expect(document.bytes == text)
        }
    }

    @Test(
        "Mutated documents are accepted or rejected like the reference parser does",
        arguments: [JSONDocument.Dialect.json, .jsonc])
    func mutations(dialect: JSONDocument.Dialect) throws {
        var accepted: UInt64 = 0
        for seed in 1...Self.count {
            var random = RandomJSON(seed: seed, isLenient: dialect == .jsonc, duplicatesKeys: true)
            let text = random.mutated(random.document())
            let agreement = ReferenceComparison(on: text, dialect)
            #expect(agreement.holds, "seed \(seed): \(String(decoding: text, as: UTF8.self).debugDescription)")
            if agreement.isAccepted { accepted += 1 }
        }
        let expected = Self.count / 10...Self.count * 9 / 10
        #expect(expected.contains(accepted), "\(accepted) accepted: the mutations are too weak or too strong")
    }

    @Test("A text accepted as strict JSON has the same value and warnings in the JSONC dialect")
    func dialects() throws {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = RandomJSON(seed: seed, duplicatesKeys: true)
            let text = random.document()
            let strict = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: .json))
            let lenient = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: .jsonc))
            #expect(strict.value == lenient.value, "seed \(seed)")
            #expect(strict.warnings == lenient.warnings, "seed \(seed)")
        }
    }
}
