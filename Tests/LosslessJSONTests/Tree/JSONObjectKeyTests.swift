import Testing

@testable import LosslessJSON

@Suite("Keys of objects")
struct JSONObjectKeyTests {
    /// Around the length that is stored inline, and far beyond it.
    static let lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 23, 24, 31, 32, 33, 100, 70_000]

    static func key(_ length: Int, last: Character = "x") -> String {
        length == 0 ? "" : String(repeating: "k", count: length - 1) + String(last)
    }

    @Test("A key of any length is found in small and large, built and parsed objects", arguments: lengths)
    func anyLength(length: Int) throws {
        let key = JSONObjectKeyTests.key(length)
        for others in [0, 3, 40] {
            var object = JSONObject((0..<others).map { ("other \($0)", 0) })
            object[key] = "found"
            let parsed = try #require(try JSON(parsing: object.description).object)
            for object in [object, parsed] {
                #expect(object[key] == "found")
                #expect(object[JSONObjectKeyTests.key(length, last: "y")] == (length == 0 ? "found" : nil))
                #expect(object[key + "x"] == nil)
                #expect(object.fault == nil)
            }
            #expect(object == parsed && object.hashValue == parsed.hashValue)
            object[key] = nil
            #expect(object[key] == nil && object.count == others)
        }
    }

    @Test("Keys that differ in one byte are different at every position", arguments: lengths.filter { $0 <= 100 })
    func everyByte(length: Int) {
        let base = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        var keys = [String(decoding: base, as: UTF8.self)]
        for index in base.indices {
            var bytes = base
            bytes[index] = UInt8(ascii: "b")
            keys.append(String(decoding: bytes, as: UTF8.self))
        }
        let object = JSONObject(keys.enumerated().map { ($1, JSON($0)) })
        #expect(object.count == length + 1 && object.fault == nil)
        #expect(keys.indices.allSatisfy { object[keys[$0]] == JSON($0) })
    }

    @Test("Composed and decomposed letters are different keys")
    func normalForms() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed, "the keys are equal as Swift strings")
        let object: JSONObject = ["caf\u{E9}": 1, "cafe\u{301}": 2]
        let parsed = try #require(try JSON(parsing: "{\"\(composed)\":1,\"\(decomposed)\":2}").object)
        for object in [object, parsed] {
            #expect(object.count == 2)
            #expect(object[composed] == 1 && object[decomposed] == 2)
        }
        #expect(JSON(composed) != JSON(decomposed))
    }

    @Test("The empty key and keys with zero bytes are distinct keys")
    func zeroBytes() throws {
        let keys = ["", "\0", "\0\0", "a", "a\0", "a\0\0", "\0a", "12345678901234", "1234567890123\0"]
        let object = JSONObject(keys.enumerated().map { ($1, JSON($0)) })
        #expect(object.count == keys.count)
        let parsed = try #require(try JSON(parsing: object.description).object)
        for (number, key) in keys.enumerated() {
            #expect(object[key] == JSON(number) && parsed[key] == JSON(number))
        }
    }

    @Test(
        "A key parsed from escapes equals the plainly written key",
        arguments: [
            (#"\u0061b"#, "ab"), (#"a\/b"#, "a/b"), (#"\ud83d\ude00"#, "\u{1F600}"), (#"\u00e9"#, "\u{E9}"),
            (#"line\nline\tand more than fourteen"#, "line\nline\tand more than fourteen"),
            (#"\u0031234567890123"#, "1234567890123"), (#"\u00312345678901234"#, "12345678901234"),
            (#"\u003123456789012345"#, "123456789012345"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\u0000"#, "\0"),
        ])
    func escapes(written: String, key: String) throws {
        let object = try #require(try JSON(parsing: "{\"\(written)\": 1}").object)
        #expect(object[key] == 1)
        #expect(object.fault == nil, "stored decoded")
        #expect(object == [key: 1] && object.hashValue == ([key: 1] as JSONObject).hashValue)
        var set = object
        set[key] = 2
        #expect(set.count == 1)
        let repeated = try #require(try JSON(parsing: "{\"\(written)\": 1, \"x\": 0, \"\(written)\": 2}").object)
        #expect(repeated.count == 2 && repeated[key] == 2)
    }

    @Test(
        "Keys around the maximum length of a slice are stored completely",
        arguments: [(1 << 24) - 2, (1 << 24) - 1, 1 << 24])
    func hugeKeys(length: Int) throws {
        let key = JSONObjectKeyTests.key(length)
        let other = JSONObjectKeyTests.key(length, last: "y")
        let object: JSONObject = [key: 1, other: 2, "small": 3]
        #expect(object.count == 3 && object[key] == 1 && object[other] == 2)
        let parsed = try #require(try JSON(parsing: "{\"\(key)\":1,\"\(other)\":2,\"small\":3}").object)
        #expect(parsed[key] == 1 && parsed[other] == 2 && parsed["small"] == 3)
        #expect(parsed == object)
        #expect(parsed.first?.key.utf8.count == length)
    }
}
