import LosslessJSON
import Testing

/// Printing of values, for files and for messages.
@Suite struct JSONPrinterTests {
    private func lines(_ text: String, width: Int = 80) throws -> String {
        var printer = JSONPrinter()
        printer.lineWidth = width
        return printer.string(try JSON(parsing: text))
    }

    @Test("The file layout has one member per line, two spaces of indentation, and a final line end")
    func file() throws {
        let printed = try lines(
            #"{"http":{"port":8080,"hosts":["a","b"],"tls":{}},"list":[{"a":1},[],[[1,2],3]],"none":null}"#)
        #expect(
            printed == """
                {
                  "http": {
                    "port": 8080,
                    "hosts": ["a", "b"],
                    "tls": {}
                  },
                  "list": [
                    {
                      "a": 1
                    },
                    [],
                    [
                      [1, 2],
                      3
                    ]
                  ],
                  "none": null
                }

                """)
    }

    @Test(
        "A scalar or an empty container is printed on a line of its own",
        arguments: ["1", "\"a\"", "null", "true", "false", "[]", "{}"])
    func topLevel(text: String) throws {
        #expect(try lines(text) == text + "\n")
        #expect(try JSON(parsing: text).description == text)
    }

    @Test("The compact layout is one line without spaces")
    func compact() throws {
        let value = try JSON(parsing: "{ \"a\" : [ 1 , { } , [ ] , \"x y\" ] , \"b\" : null } // c")
        #expect(JSONPrinter(layout: .compact).string(value) == #"{"a":[1,{},[],"x y"],"b":null}"#)
        #expect(value.description == #"{"a":[1,{},[],"x y"],"b":null}"#)
    }

    @Test("An array of scalars stays on one line if the whole line fits into the width")
    func width() throws {
        #expect(try lines("[1,2,3]", width: 9) == "[1, 2, 3]\n")
        #expect(try lines("[1,2,3]", width: 8) == "[\n  1,\n  2,\n  3\n]\n")
        #expect(try lines("[[1,2,3],{}]", width: 12) == "[\n  [1, 2, 3],\n  {}\n]\n")
        #expect(try lines("[[1,2,3],{}]", width: 11) == "[\n  [\n    1,\n    2,\n    3\n  ],\n  {}\n]\n")
        #expect(try lines("{\"a\":[1,2,3]}", width: 17) == "{\n  \"a\": [1, 2, 3]\n}\n")
        #expect(try lines("{\"a\":[1,2,3]}", width: 16) == "{\n  \"a\": [\n    1,\n    2,\n    3\n  ]\n}\n")
        #expect(try lines("[]", width: 0) == "[]\n")
        #expect(try lines("[[]]", width: 80) == "[\n  []\n]\n", "an array of arrays has one line per element")
    }

    @Test("Numbers and strings are printed with the spelling of the text")
    func spellings() throws {
        let text = #"[1.0,1e3,-0,0.10E+05,123456789012345678901234567890,"\u0041\/\uD83D\ude00\u000a","ü\t"]"#
        #expect(try JSON(parsing: text).description == text)
    }

    @Test("Strings from code are printed with the escapes that RFC 8259 requires and no others")
    func escapes() throws {
        let string = "\"\\/\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \u{7F}\u{80}ü€😀\u{2028}\u{FEFF}'<>&"
        let printed = JSON(string).description
        #expect(
            printed == "\"\\\"\\\\/\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \u{7F}\u{80}ü€😀\u{2028}\u{FEFF}'<>&\"")
        #expect(try JSON(parsing: printed, dialect: .json).string == string)
        let object: JSON = [string: 1]
        #expect(try JSON(parsing: object.description)[string] == 1)
    }

    @Test("Keys are escaped like strings")
    func keys() {
        let object: JSON = ["a\"b\n": 1, "": 2, "\u{0}": ["x\\": 3]]
        #expect(object.description == #"{"a\"b\n":1,"":2,"\u0000":{"x\\":3}}"#)
    }

    @Test("Every control character survives printing and parsing")
    func controls() throws {
        for value in 0..<0x20 as Range<UInt32> {
            let string = "a" + String(try #require(Unicode.Scalar(value))) + "b"
            let printed = JSON(string).description
            #expect(printed.utf8.allSatisfy { $0 >= 0x20 })
            #expect(try JSON(parsing: printed, dialect: .json).string == string)
        }
    }

    @Test("Printed random values parse to the same value in both layouts and at any width")
    func readsBack() throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            var random = RandomJSON(seed: seed, duplicatesKeys: true)
            let value = try JSON(parsing: random.document())
            let compact = JSONPrinter(layout: .compact).bytes(value)
            for width in [0, 20, 80] {
                var printer = JSONPrinter()
                printer.lineWidth = width
                let read = try JSON(parsing: printer.bytes(value), dialect: .json)
                #expect(read == value, "seed \(seed)")
                #expect(JSONPrinter(layout: .compact).bytes(read) == compact, "seed \(seed): order and spelling")
            }
            #expect(try JSON(parsing: compact, dialect: .json) == value, "seed \(seed)")
        }
    }

    @Test("No line with an array of scalars exceeds the width")
    func noWiderLines() throws {
        let numbers = (0..<40).map { String(repeating: "1", count: $0 % 7 + 1) }
        for count in 0...40 {
            let array = "[" + numbers.prefix(count).joined(separator: ",") + "]"
            let printed = try lines("{\"a\": {\"b\": \(array), \"c\": [\(array)]}}", width: 60)
            for line in printed.split(separator: "\n") { #expect(line.count <= 60, "\(line)") }
        }
    }
}
