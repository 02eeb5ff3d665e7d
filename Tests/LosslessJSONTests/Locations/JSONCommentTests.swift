import LosslessJSON
import TestSupport
import Testing

/// The comments of a text, and the values that they belong to.
@Suite struct JSONCommentTests {
    private func comments(_ text: String) throws -> [String] {
        let document = try JSONDocument(parsing: text)
        return document.comments().map { comment in
            let marked = String(decoding: document.bytes[comment.range], as: UTF8.self)
            #expect(marked.hasPrefix("//") || marked.hasPrefix("/*") && marked.hasSuffix("*/"))
            #expect(marked.contains(comment.text))
            return "\(comment.path.description) \(comment.text)"
        }
    }

    @Test("Each comment has the value that it belongs to, wherever it is")
    func paths() throws {
        let text = """
            \u{FEFF}// the file
            { // the object
              // above a blank line

              // above the first
              // and more
              "http": { // after the bracket
                "port": 8080, // beside
                              // and below
                /* before */ "host" /* a */ : /* b */ "ü" // last
                // alone
              }, // after the closing bracket
              "li/st": [ 1 /* first */, /* second */ 2,
                // third
                [ /* empty */ ],
                { "x" : 1 /* x */ }, ],
              "a\\u00e9": null, //
              /**/ "": true
            } // end
            /* the
               end */
            """
        #expect(
            try comments(text) == [
                " the file", " the object", " above a blank line", "/http above the first", "/http and more",
                "/http after the bracket", "/http/port beside", "/http/port and below", "/http/host before",
                "/http/host a", "/http/host b", "/http/host last", "/http alone", "/http after the closing bracket",
                "/li~1st/0 first", "/li~1st/1 second", "/li~1st/2 third", "/li~1st/2 empty", "/li~1st/3/x x",
                "/aé ", "/ ", " end", " the\n   end",
            ])
    }

    @Test(
        "Texts without comments, without a value, or with a scalar alone",
        arguments: [
            ("{}", []), (#"{ "a": "// no /* no */" }"#, []), ("// only", [" only"]), ("/* a */ 17 // b", [" a", " b"]),
            ("[ // inside\r\n]", [" inside"]), ("[/*a*/]", [" a"]), ("", []),
        ])
    func small(text: String, expected: [String]) throws {
        var options = JSONDocument.Options()
        options.acceptsBlankText = true
        let document = try JSONDocument(parsing: text, options: options)
        #expect(document.comments().map { "\($0.path.description) \($0.text)" } == expected)
    }

    @Test("A comment that is removed with a value is a comment of that value", arguments: SeededGenerator.seeds)
    func removal(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<100 {
            let document = try JSONDocument(parsing: randomText(&random))
            for key in document.value.object!.keys {
                let remaining = Set(try document.removing(JSONPointer([key])).comments().map(\.text))
                let removed = document.comments().filter { !remaining.contains($0.text) }
                #expect(
                    removed.map(\.text) == document.comments().filter { $0.path.tokens.first == key }.map(\.text),
                    "\(key) of \(document.text)")
            }
        }
    }

    /// Members with numbered comments in all places.
    private func randomText(_ random: inout SeededGenerator) -> String {
        var number = 0
        func space() -> String {
            number += 1
            return random.pick([" ", "\n  ", " // \(number)\n", " /* \(number) */ ", "\n\n  // \(number)\n  ", "\n"])
        }
        let members = (0...random.below(4)).map { index in
            let value = random.pick(["1", "[\(space())]", "{ \"x\": 1\(space())}"])
            return "\(space())\"k\(index)\"\(space()):\(space())\(value)\(space())\(space())"
        }
        return "{\(members.joined(separator: ","))\(space())}"
    }

    @Test("Thousands of comments between two values are all found")
    func many() throws {
        let lines = (0..<20_000).map { "// \($0)" }.joined(separator: "\n")
        let found = try JSONDocument(parsing: "[\n\(lines)\n1,\n\(lines)\n]").comments()
        #expect(found.count == 40_000)
        #expect(found.prefix(20_000).last?.path == "0" && found.last?.path == "")
        #expect(found.enumerated().allSatisfy { $0.element.text == "\($0.offset % 20_000)" })
    }

    @Test("A deeply nested text does not need a deep stack")
    func deep() throws {
        let depth = JSONDocument.deepestNesting
        var options = JSONDocument.Options()
        options.depthLimit = depth
        let text = String(repeating: "[", count: depth) + "/* x */" + String(repeating: "]", count: depth)
        let found = try JSONDocument(parsing: text, options: options).comments()
        #expect(found.map(\.path.tokens.count) == [depth - 1])
    }
}
