import LosslessJSON
import Testing

/// What each dialect accepts, and the resulting values.
@Suite struct DialectTests {
    @Test(
        "Texts conforming to RFC 8259 have the same value in both dialects",
        arguments: [
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("\"\"", ""), ("[]", []),
            ("{}", [:]),
            (" \t\r\n null \t\r\n ", .null),
            ("[ ]", []), ("{ }", [:]), ("[[],{}]", [[], [:]]), ("[ 1 , 2 ]", [1, 2]),
            ("{ \"a\" : 1 , \"b\" : 2 }", ["a": 1, "b": 2]),
            ("{\"\":{\"\":[{}]}}", ["": ["": [[:]]]]),
            ("1.5", 1.5), ("-1.5E+2", -150), ("1e2", 100), ("0e0", 0), ("0.0", 0), ("10.0e-1", 1), ("1E00", 1),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0000\u0041\u00fC\uFFFF\uD83D\uDE00""#, "\u{0}A\u{FC}\u{FFFF}😀"),
            ("\"ü€😀\u{7F}\u{2028}\u{FEFF}\u{FFFF}\"", "ü€😀\u{7F}\u{2028}\u{FEFF}\u{FFFF}"),
            ("\"'/*//\"", "'/*//"),
            ("\u{FEFF}[1]", [1]), ("\u{FEFF} 1", 1),
        ] as [(String, JSON)])
    func both(text: String, value: JSON) throws {
        #expect(try JSON(parsing: text, dialect: .json) == value)
        #expect(try JSON(parsing: text, dialect: .jsonc) == value)
        #expect(try JSON(parsing: Array(text.utf8), dialect: .json) == value)
    }

    @Test(
        "Comments and trailing commas are accepted only in the JSONC dialect",
        arguments: [
            ("// a\n1", 1), ("// a\r1", 1), ("//\r\n1", 1), ("1 // a", 1), ("1//", 1), ("/**/1/**/", 1), ("/***/1", 1),
            ("/* /* */1", 1), ("/* // */1", 1), ("// */ /*\n1", 1), ("/*\n*\n/\n**/1", 1), ("/*\u{0}\u{1B}*/1", 1),
            ("[1,]", [1]), ("[1 , ]", [1]), ("[1,\n]", [1]), ("[1,/**/]", [1]), ("[1/**/,]", [1]), ("[/**/]", []),
            ("[//\n]", []), ("[[1,],]", [[1]]), ("[/**/1/**/,/**/2/**/]", [1, 2]),
            ("{\"a\":1,}", ["a": 1]), ("{\"a\":1 , /**/ }", ["a": 1]), ("{/**/}", [:]), ("{//\n}", [:]),
            ("{/**/\"a\"/**/:/**/1/**/,/**/\"b\"//\n://\n2//\n}", ["a": 1, "b": 2]),
            ("{\"a\":[{\"b\":[1,],},],}", ["a": [["b": [1]]]]),
            ("\u{FEFF}// a\n1", 1),
        ] as [(String, JSON)])
    func lenientOnly(text: String, value: JSON) throws {
        #expect(try JSON(parsing: text, dialect: .jsonc) == value)
        #expect(try JSON(parsing: text) == value, "the dialect with comments is the default")
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text, dialect: .json) }
        #expect(error?.code == .comment || error?.code == .trailingComma)
    }

    @Test(
        "Other deviations from RFC 8259 are rejected in both dialects",
        arguments: [
            "[,]", "{,}", "[,1]", "[1,,]", "[1,,2]", "{,\"a\":1}", "{\"a\":1,,}", "1,", "[1],", ",", "[/]", "[1/,2]",
            "/1",
            "[1 /*/ 2]", "{\"a\"/:1}", "{\"a\":/1}", "/ /a\n1", "1/", "{\"a\":/**/}", "[1/**/2]", "[\"a\"/**/\"b\"]",
            "{\"a\"/**/}", "{\"a\",}", "/**/", "[1}", "{]", "[\u{C}1]", "[\u{B}1]", "[\u{A0}1]", "\u{FEFF}\u{FEFF}1",
        ])
    func neither(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text, dialect: .json) }
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text, dialect: .jsonc) }
    }
}
