import LosslessJSON
import Testing

/// Of a key that an object has more than once the last one counts, and a warning says where both stand.
@Suite struct RepeatedKeyTests {
    @Test("the last of two equal keys counts, and the warning names both places")
    func twoPlaces() throws {
        let document = try JSONDocument(parsing: "{\n  \"port\": 1,\n  \"host\": 2,\n  \"port\": 3\n}")
        #expect(document.value == ["host": 2, "port": 3])
        #expect(document.value.object?.map(\.key) == ["host", "port"])

        let warning = try #require(document.warnings.first)
        #expect(document.warnings.count == 1)
        #expect(warning.code == .repeatedKey)
        #expect(warning.severity == .warning)
        #expect(warning.path == "/port")
        #expect(warning.earlier.description == "2:3")
        #expect(warning.location?.description == "4:3")
        #expect(warning.message == "the key \"port\" stands here again; the one at 2:3 does not count")
        #expect(
            warning.report(file: "a.json") == """
                a.json:4:3: warning: the key "port" stands here again; the one at 2:3 does not count
                  "port": 3
                  ^
                """)
    }

    @Test("each repetition of a key is a warning about it and the one before")
    func threeTimes() throws {
        let document = try JSONDocument(parsing: #"{"a": 1, "a": 2, "b": 3, "a": 4}"#)
        #expect(document.value == ["b": 3, "a": 4])
        #expect(document.warnings.map { "\($0.earlier) \($0.location!)" } == ["1:2 1:10", "1:10 1:26"])
    }

    @Test("a document without repetitions has no warnings")
    func none() throws {
        #expect(try JSONDocument(parsing: #"{"a": {"a": 1}, "A": [{"a": 1}, {"a": 2}], "": 3}"#).warnings.isEmpty)
    }

    @Test("an escaped spelling of a key is the same key; a decomposed letter is another one")
    func spellings() throws {
        let escaped = try JSONDocument(parsing: #"{"aü/": 1, "\u0061\u00fc\/": 2}"#)
        #expect(escaped.warnings.map(\.path) == ["/aü~1"])
        #expect(escaped.value == ["aü/": 2])
        let decomposed = try JSONDocument(parsing: "{\"\u{FC}\": 1, \"u\u{308}\": 2}")
        #expect(decomposed.warnings.isEmpty)
        #expect(decomposed.value.object?.count == 2)
    }

    @Test("warnings come in the order of the text, with the path through objects and arrays")
    func nested() throws {
        let text = """
            \u{FEFF}// two servers
            {"servers": [ {}, /* [ { */ {"x": 1, "x": 2 /* , "x" */, }, ],
             "a": {"b": [[], [{"c": [0], "c": {"d": 1, "d": 2}}]]}, "servers": 0}
            """
        let document = try JSONDocument(parsing: text)
        #expect(
            document.warnings.map(\.path.description) == ["/servers/1/x", "/a/b/1/0/c", "/a/b/1/0/c/d", "/servers"])
        #expect(document.warnings.map { $0.location!.description } == ["2:38", "3:30", "3:44", "3:57"])
        for warning in document.warnings { #expect(warning.earlier < warning.location!) }
    }

    @Test("repetitions are found in objects of every size", arguments: [2, 3, 31, 32, 33, 34, 64, 65, 1_000, 3_000])
    func sizes(count: Int) throws {
        for (first, second) in [(0, 1), (0, count - 1), (count / 2 - 1, count / 2), (count - 2, count - 1)] {
            var keys = (0..<count).map { $0 % 2 == 0 ? "k\($0)" : "a key of more than fourteen bytes \($0)" }
            keys[second] = keys[first]
            let members = keys.enumerated().map { "\"\($1)\":\($0)" }
            let document = try JSONDocument(parsing: "{" + members.joined(separator: ",") + "}")
            #expect(document.warnings.count == 1)
            #expect(document.value.object?.count == count - 1)
            #expect(document.value[keys[second]]?.int == second)
            let inOrder = document.value.object?.map(\.value.int!)
            #expect(inOrder == (0..<count).filter { $0 != first })
        }
    }

    @Test("keys that look alike are not taken for repetitions")
    func lookalikes() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        let keys = letters.map { "\($0)-a shared middle and a shared end" } + letters.map { "\($0)" } + [""]
        for size in [30, 32, 33, keys.count] {
            let members = keys.suffix(size).map { "\"\($0)\":0" }
            let document = try JSONDocument(parsing: "{" + members.joined(separator: ",") + "}")
            #expect(document.warnings.isEmpty)
            #expect(document.value.object?.map(\.key) == Array(keys.suffix(size)))
        }
    }

    @Test("at most a hundred repetitions are listed, the first ones")
    func limit() throws {
        let objects = repeatElement(#"{"a":1,"a":2}"#, count: 250).joined(separator: ",")
        let document = try JSONDocument(parsing: "[\(objects)]")
        #expect(document.warnings.map(\.path.description) == (0..<100).map { "/\($0)/a" })
        #expect(document.value.array?.allSatisfy { $0 == ["a": 2] } == true)
    }
}
