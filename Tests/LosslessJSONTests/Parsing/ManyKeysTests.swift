import LosslessJSON
import TestSupport
import Testing

/// Objects with very many keys: their values, and that parsing takes linear time.
@Suite struct ManyKeysTests {
    private static func object(_ count: Int, _ key: (Int) -> String) -> String {
        "{" + (0..<count).map { "\"\(key($0))\":\($0)" }.joined(separator: ",") + "}"
    }

    @Test("One duplicate among a hundred thousand keys is reported")
    func oneRepetition() throws {
        let document = try JSONDocument(parsing: Self.object(100_001) { "key\($0 % 100_000)" })
        #expect(document.value.object?.count == 100_000)
        #expect(document.value["key0"] == 100_000)
        #expect(document.warnings.count == 1)
        #expect(document.warnings.first?.earlier.description == "1:2")
    }

    @Test("A key repeated a hundred thousand times is one member and a hundred warnings")
    func onlyRepetitions() throws {
        let document = try JSONDocument(parsing: Self.object(100_000) { _ in "the same key, and not a short one" })
        #expect(document.value == ["the same key, and not a short one": 99_999])
        #expect(document.warnings.count == 100)
    }

    @Test("Duplicates of one key between a hundred thousand other keys do not affect the others")
    func mixed() throws {
        let document = try JSONDocument(parsing: Self.object(200_000) { $0 % 2 == 0 ? "key\($0)" : "again" })
        let object = try #require(document.value.object)
        #expect(object.count == 100_001)
        #expect(object["again"] == 199_999)
        #expect((0..<100_000).allSatisfy { object["key\(2 * $0)"]?.int == 2 * $0 })
        #expect(document.warnings.count == 100)
    }

    /// A quadratic search for duplicates would not finish here.
    @Test(
        "Parsing hundreds of thousands of keys takes less than quadratic time for any pattern of duplicates",
        arguments: [
            "no repetition", "one repetition at the end", "only repetitions", "every second one", "many objects",
        ])
    func growth(shape: String) throws {
        let count = Thoroughness.isFull ? 400_000 : 100_000
        let (text, members) =
            switch shape {
            case "no repetition": (Self.object(count) { "key\($0)" }, count)
            case "one repetition at the end": (Self.object(count) { "key\($0 == count - 1 ? 0 : $0)" }, count - 1)
            case "only repetitions": (Self.object(count) { _ in "key" }, 1)
            case "every second one": (Self.object(count) { $0 % 2 == 0 ? "key\($0)" : "key" }, count / 2 + 1)
            default:
                (
                    "[" + repeatElement(Self.object(40) { "\($0 % 39)" }, count: count / 40).joined(separator: ",")
                        + "]", 39
                )
            }
        let value = try JSONDocument(parsing: text).value
        #expect((value.object ?? value[0]?.object)?.count == members)
    }
}
