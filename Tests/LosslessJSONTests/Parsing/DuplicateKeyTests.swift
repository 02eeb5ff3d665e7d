import LosslessJSON
import Testing

/// If an object has a duplicate key, the last one counts, and a warning gives both locations.
@Suite struct DuplicateKeyTests {
    @Test("The last of two duplicate keys counts, and the warning gives both locations")
    func twoPlaces() throws {
        let document = try JSONDocument(parsing: "{\n  \"port\": 1,\n  \"host\": 2,\n  \"port\": 3\n}")
        #expect(document.value == ["host": 2, "port": 3])
        #expect(document.value.object?.map(\.key) == ["host", "port"])

        let warning = try #require(document.warnings.first)
        #expect(document.warnings.count == 1)
        #expect(warning.code == .duplicateKey)
        #expect(warning.severity == .warning)
        #expect(warning.path == "/port")
        #expect(warning.earlier.description == "2:3")
        #expect(warning.location?.description == "4:3")
        #expect(warning.message == "duplicate key \"port\"; the earlier one at 2:3 is ignored")
        #expect(
            warning.report(file: "a.json") == """
                a.json:4:3: warning: duplicate key "port"; the earlier one at 2:3 is ignored
                  "port": 3
                  ^
                """)
    }

    @Test("Each repetition of a key is reported together with the preceding occurrence")
    func threeTimes() throws {
        let document = try JSONDocument(parsing: #"{"a": 1, "a": 2, "b": 3, "a": 4}"#)
        #expect(document.value == ["b": 3, "a": 4])
        #expect(document.warnings.map { "\($0.earlier) \($0.location!)" } == ["1:2 1:10", "1:10 1:26"])
    }

    @Test("A document without duplicate keys has no warnings")
    func none() throws {
        #expect(try JSONDocument(parsing: #"{"a": {"a": 1}, "A": [{"a": 1}, {"a": 2}], "": 3}"#).warnings.isEmpty)
    }

    @Test("A key spelled with escapes is a duplicate, a decomposed letter is a different key")
    func spellings() throws {
        let escaped = try JSONDocument(parsing: #"{"aü/": 1, "\u0061\u00fc\/": 2}"#)
        #expect(escaped.warnings.map(\.path) == ["/aü~1"])
        #expect(escaped.value == ["aü/": 2])
        let decomposed = try JSONDocument(parsing: "{\"\u{FC}\": 1, \"u\u{308}\": 2}")
        #expect(decomposed.warnings.isEmpty)
        #expect(decomposed.value.object?.count == 2)
    }

    @Test("Warnings are in text order and have paths through objects and arrays")
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

    @Test("A duplicate key is found in objects of every size", arguments: [2, 3, 31, 32, 33, 34, 64, 65, 1_000, 3_000])
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

    @Test("Similar keys are not reported as duplicates")
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

    @Test("At most the first hundred duplicate keys are reported")
    func limit() throws {
        let objects = repeatElement(#"{"a":1,"a":2}"#, count: 250).joined(separator: ",")
        let document = try JSONDocument(parsing: "[\(objects)]")
        #expect(document.warnings.map(\.path.description) == (0..<100).map { "/\($0)/a" })
        #expect(document.value.array?.allSatisfy { $0 == ["a": 2] } == true)
    }
}
