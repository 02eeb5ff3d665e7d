import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Reparsing")
struct ReparsingTests {
    /// Describes how a reparsed document differs from a freshly parsed one; nil if it does not.
    static func fault(of document: JSONDocument, _ text: String) throws -> String? {
        let fresh = try JSONDocument(parsing: text, options: document.options)
        let (found, expected) = (document.value.description, fresh.value.description)
        if found != expected { return "spelled or ordered \(found) instead of \(expected)" }
        if document.value != fresh.value || fresh.value != document.value { return "not equal to \(expected)" }
        if document.value.hashValue != fresh.value.hashValue { return "another hash than \(expected)" }
        if document.text != text || document.warnings != fresh.warnings { return "other text or warnings" }
        return document.value.fault
    }

    @Test(
        "A reparsed document equals a freshly parsed one after random edits",
        arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for round in 0..<5 {
            var sketch = RandomText(&random)
            var document = try JSONDocument(parsing: sketch.text())
            var versions = [(document, sketch.text())]
            for step in 0..<10 {
                sketch = sketch.edited(&random)
                let text = sketch.text(random.pick(["", " ", "\n    "]))
                let next = try document.reparsed(text)
                let changes = next.value.difference(from: document.value)
                let expected = DifferenceModel.changes(document.value, try JSON(parsing: text))
                #expect(Set(changes) == Set(expected), "seed \(seed), round \(round), step \(step)")
                document = next
                versions.append((document, text))
            }
            for (step, (document, text)) in versions.enumerated() {
                let fault = try ReparsingTests.fault(of: document, text)
                #expect(fault == nil, "seed \(seed), round \(round), version \(step)")
            }
        }
    }

    @Test(
        "Reparsing adopts a new spelling and a new order of equal values",
        arguments: [
            ("1.0", "1.00"), ("[1, 1e3]", "[1.0, 1000]"), (#"{"a": 1}"#, #"{"a": 1e0}"#),
            (#"["\u0061", "a longer string than f\u0069fteen"]"#, #"["a", "a longer string than fifteen"]"#),
            (#"["\u00e9/"]"#, #"["\u00E9\/"]"#), (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#),
            (#"{"x": {"a": [1, 2], "b": 2}}"#, #"{"x": {"b": 2, "a": [1, 2.0]}}"#), ("-0", "0"),
            (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#), (#"{"a": 2}"#, #"{"a": 1, "b": 0, "a": 2}"#),
        ])
    func spellings(old: String, new: String) throws {
        let padding = String(repeating: " ", count: 200)
        for (before, after) in [(old, new), (new, old)] {
            let document = try JSONDocument(parsing: before).reparsed(after + padding)
            #expect(try ReparsingTests.fault(of: document, after + padding) == nil)
        }
    }

    @Test(
        "Reparsing replaces every kind of value with every other kind",
        arguments: [
            "null", "true", "12345678901234567890", #""a string of many letters""#, "[1]", #"{"a": 1}"#, "[]", "{}",
        ])
    func kinds(old: String) throws {
        for new in ["null", "false", "1", #""\u0061""#, "[]", "{}", "[[[]]]", #"{"a": {"b": {}}}"#] {
            for (before, after) in [(old, new), ("[\(old), 1]", "[\(new), 1]"), ("{\"k\": \(old)}", "{\"k\": \(new)}")]
            {
                let document = try JSONDocument(parsing: before).reparsed(after)
                #expect(try ReparsingTests.fault(of: document, after) == nil, "\(before) to \(after)")
            }
        }
    }

    @Test("Adding or removing a byte order mark, line ends or comments leaves the value identical")
    func layout() throws {
        let plain = #"{"name": "a name of many letters", "list": [1, 2, {"x": 12345678901234567890}]}"#
        let document = try JSONDocument(parsing: plain)
        for text in [
            "\u{FEFF}" + plain, plain.replacing("\": ", with: "\":\r\n\t"), "// note\n" + plain + "/* end */", plain,
        ] {
            let next = try document.reparsed(text)
            #expect(next.value.isIdentical(to: document.value))
            #expect(next.text == text && next.hasByteOrderMark == text.hasPrefix("\u{FEFF}"))
            let back = try next.reparsed(plain)
            #expect(back.value.isIdentical(to: document.value) && back.text == plain)
        }
    }

    @Test("An invalid text leaves the previous document unchanged and usable")
    func errors() throws {
        let text = #"{"name": "a name of many letters", "list": [1, 2, 3]}"#
        let document = try JSONDocument(parsing: text)
        for broken in [
            "", "{", #"{"name": "a name of many letters", "list": [1, 2, 3]"#, text + "x", #"{"name": "\ud800"}"#,
        ] {
            #expect(throws: JSONSyntaxError.self, "\(broken)") { try document.reparsed(broken) }
        }
        #expect(try ReparsingTests.fault(of: document, text) == nil)
        let next = try document.reparsed(text.replacing("3", with: "4"))
        #expect(next.value["list"]?[2] == 4 && document.value["list"]?[2] == 3)
    }

    @Test("Reparsing applies the options of the first parse")
    func options() throws {
        let document = try JSONDocument(
            parsing: "[[1]]", options: JSONDocument.Options(dialect: .json, depthLimit: 2, sizeLimit: 20))
        #expect(throws: JSONSyntaxError.self) { try document.reparsed("[[1,]]") }
        #expect(throws: JSONSyntaxError.self) { try document.reparsed("[[[1]]]") }
        #expect(throws: JSONSyntaxError.self) { try document.reparsed("[[1, 2, 3, 4, 5, 6, 7]]") }
        #expect(try document.reparsed("[[2]]").value == [[2]])
    }

    @Test("Members moved at every one of 200 levels are reparsed correctly")
    func movedAtEveryLevel() throws {
        func nested(_ key: String) -> String {
            String(repeating: #"{"a": "#, count: 200) + "0" + String(repeating: ", \"\(key)\": 1}", count: 200)
        }
        let document = try JSONDocument(parsing: nested("b")).reparsed(nested("c"))
        #expect(try ReparsingTests.fault(of: document, nested("c")) == nil)
    }
}
