import LosslessJSON
import Testing

/// The location of the value at a path.
@Suite struct ValueLocationTests {
    private let text = """
        \u{FEFF}// first
        { /* a */ "http" /* b */ : /* c */ { "port" : 8080 , "host": "ü" /* d */ }, // e
          "list": [ 1 /* f */ , [ ] , // g
            { "x": -1.5e3, } , "s\\"]" , ],
          "a\\/b\\u00e9": null, "": true, "twice": 1, "twice": { "in": 2 },
        } // end

        """

    private func slice(_ path: JSONPointer) throws -> String? {
        let document = try JSONDocument(parsing: text)
        return document.range(of: path).map { String(decoding: document.bytes[$0], as: UTF8.self) }
    }

    @Test(
        "The byte range of a value is found by its path",
        arguments: [
            ("http", #"{ "port" : 8080 , "host": "ü" /* d */ }"#), ("http.port", "8080"), ("http.host", "\"ü\""),
            ("list.0", "1"), ("list.1", "[ ]"), ("list.2", "{ \"x\": -1.5e3, }"), ("list.2.x", "-1.5e3"),
            ("list.3", #""s\"]""#), ("/a~1bé", "null"), ("/", "true"), ("twice", "{ \"in\": 2 }"), ("twice.in", "2"),
        ])
    func values(path: String, expected: String) throws {
        let pointer = try JSONPointer(parsing: path)
        #expect(try slice(pointer) == expected)
        let value = try JSONDocument(parsing: text).value[at: pointer]
        #expect(try JSON(parsing: expected) == value)
    }

    @Test("The range of the root excludes surrounding comments and white space")
    func root() throws {
        let root = try #require(try slice(""))
        #expect(root.hasPrefix("{ /* a */") && root.hasSuffix(",\n}"))
        #expect(try JSONDocument(parsing: " 17 // x").range(of: "") == 1..<3)
        #expect(try JSONDocument(parsing: "\u{FEFF}/**/null").location(of: "")?.description == "1:5")
    }

    @Test(
        "A path without a value has neither a range nor a location",
        arguments: [
            "nothing", "http.nothing", "http.port.0", "list.4", "list.-", "list.-1", "list.00", "list.01", "list.x",
            "list.3.0", "/a\u{301}", "/list/", "/http/", "list.18446744073709551616", "/a~1be\u{301}",
        ])
    func missing(path: String) throws {
        let pointer = try JSONPointer(parsing: path)
        let document = try JSONDocument(parsing: text)
        #expect(document.range(of: pointer) == nil)
        #expect(document.location(of: pointer) == nil)
        #expect(document.locationOfKey(of: pointer) == nil)
        #expect(document.value[at: pointer] == nil)
    }

    @Test("Locating many values in one pass gives the same locations as locating each alone")
    func many() throws {
        let document = try JSONDocument(parsing: text)
        let paths = [
            "", "http", "http.port", "http.host", "list.0", "list.2.x", "list.3", "/a~1bé", "/", "twice", "twice.in",
            "nothing", "http.nothing", "http.port.0", "list.4", "list.01", "/a~1be\u{301}", "twice.in.2",
        ]
        let pointers = try paths.map { try JSONPointer(parsing: $0) }
        let found = document.locations(of: pointers)
        for pointer in pointers { #expect(found[pointer] == document.location(of: pointer), "\(pointer)") }
        #expect(found.count == 11)
        // Few paths are found without hashing.
        for pointer in pointers {
            let few = document.locations(of: [pointer, "twice.in"])
            #expect(few[pointer] == document.location(of: pointer), "\(pointer)")
            #expect(few["twice.in"] == document.location(of: "twice.in"))
        }
        #expect(document.locations(of: []).isEmpty)
        #expect(document.locations(of: ["list.3"]) == [JSONPointer(["list", "3"]): document.location(of: "list.3")!])
    }

    @Test("Locating paths under a duplicate key finds nothing in the ignored value")
    func manyWithRepeats() throws {
        let document = try JSONDocument(parsing: #"{"a": {"b": 1, "c": {"d": 2}}, "a": {"c": 3}, "e": 4, "e": [5]}"#)
        let found = document.locations(of: ["a", "a.b", "a.c", "a.c.d", "e", "e.0"])
        #expect(found.mapValues(\.column) == ["a": 37, "a.c": 43, "e": 60, "e.0": 61])
    }

    @Test("A pointer of 100,000 tokens is located without exhausting the stack")
    func longPointer() throws {
        let pointer = JSONPointer(Array(repeating: "0", count: 100_000))
        let document = try JSONDocument(parsing: "[[[7]]]")
        #expect(document.locations(of: [pointer, "0.0.0"]).mapValues(\.column) == ["0.0.0": 4])
    }

    @Test("A value and its key have separate lines and columns")
    func linesAndColumns() throws {
        let document = try JSONDocument(parsing: text)
        #expect(document.location(of: "http.port")?.description == "2:47")
        #expect(document.locationOfKey(of: "http.port")?.description == "2:38")
        #expect(document.locationOfKey(of: "http")?.description == "2:11")
        #expect(document.location(of: "list.2.x")?.description == "4:12")
        #expect(document.locationOfKey(of: "list.2.x")?.description == "4:7")
        #expect(document.locationOfKey(of: "list.2") == nil, "an element has no key")
        #expect(document.locationOfKey(of: "") == nil, "the root has no key")
        #expect(document.locationOfKey(of: "/a~1bé")?.description == "5:3")
        #expect(document.locationOfKey(of: "/")?.description == "5:23")
        #expect(document.locationOfKey(of: "twice")?.description == "5:45", "the last one counts")
        #expect(
            document.excerpt(at: try #require(document.location(of: "list.2.x")).offset).line
                == #"    { "x": -1.5e3, } , "s\"]" , ],"#)
    }

    @Test("Every value of random documents is found at its location", arguments: [JSONDocument.Dialect.json, .jsonc])
    func everyValue(dialect: JSONDocument.Dialect) throws {
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = RandomJSON(seed: seed, isLenient: dialect == .jsonc, duplicatesKeys: true)
            let document = try JSONDocument(parsing: random.document(), options: JSONDocument.Options(dialect: dialect))
            for (path, value) in document.value.everything(atMost: 40) {
                let range = try #require(document.range(of: path), "seed \(seed): \(path)")
                #expect(document.location(of: path) == document.location(at: range.lowerBound))
                #expect(try JSON(parsing: Array(document.bytes[range]), dialect: dialect) == value)
            }
        }
    }
}
