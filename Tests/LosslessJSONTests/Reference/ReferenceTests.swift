import LosslessJSON
import Testing

/// The library and a second, simple parser must read every text the same.
@Suite struct ReferenceTests {
    @Test("random documents are read as the reference reads them", arguments: [JSONDocument.Dialect.json, .jsonc])
    func documents(dialect: JSONDocument.Dialect) throws {
        for seed in 1...1_500 as ClosedRange<UInt64> {
            var random = RandomJSON(seed: seed, isLenient: dialect == .jsonc, repeatsKeys: seed % 3 == 0)
            let text = random.document()
            let reference = try #require(ReferenceJSON(parsing: text, isLenient: dialect == .jsonc), "seed \(seed)")
            let document = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect))
            #expect(reference.agrees(with: document.value), "seed \(seed)")
            #expect(document.bytes == text)
        }
    }

    @Test(
        "mutated documents are accepted and read as by the reference", arguments: [JSONDocument.Dialect.json, .jsonc])
    func mutations(dialect: JSONDocument.Dialect) throws {
        var accepted = 0
        for seed in 1...1_500 as ClosedRange<UInt64> {
            var random = RandomJSON(seed: seed, isLenient: dialect == .jsonc, repeatsKeys: true)
            let text = random.mutated(random.document())
            let agreement = Agreement(on: text, dialect)
            #expect(agreement.holds, "seed \(seed): \(String(decoding: text, as: UTF8.self).debugDescription)")
            if agreement.isAccepted { accepted += 1 }
        }
        #expect((150...1_350).contains(accepted), "\(accepted) accepted: the mutations are too weak or too strong")
    }

    @Test("what strict JSON accepts, the dialect with comments reads the same")
    func dialects() throws {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = RandomJSON(seed: seed, repeatsKeys: true)
            let text = random.document()
            let strict = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: .json))
            let lenient = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: .jsonc))
            #expect(strict.value == lenient.value, "seed \(seed)")
            #expect(strict.warnings == lenient.warnings, "seed \(seed)")
        }
    }
}
