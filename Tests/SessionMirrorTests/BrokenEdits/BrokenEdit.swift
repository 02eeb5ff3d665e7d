import Testing

/// An invalid edit, and the problem that must be reported.
struct BrokenEdit: Sendable {
    let name: String
    let content: [UInt8]
    let code: String
    /// The line and column, if known.
    let place: String?
    /// The path of the value, if the problem is about one.
    let path: String?
    /// A part of the message.
    let words: String
}

extension BrokenEdit: CustomTestStringConvertible {
    var testDescription: String { name }
}

extension BrokenEdit {
    /// A text that is not JSON.
    static func syntax(_ name: String, _ text: String, _ place: String, _ words: String) -> BrokenEdit {
        bytes(name, Array(text.utf8), place, words)
    }

    /// Bytes that are not JSON.
    static func bytes(_ name: String, _ bytes: [UInt8], _ place: String, _ words: String) -> BrokenEdit {
        BrokenEdit(name: name, content: bytes, code: "syntax", place: place, path: nil, words: words)
    }

    /// JSON that the type or the check rejects.
    static func value(_ name: String, _ text: String, _ place: String, at path: String, _ words: String) -> BrokenEdit {
        BrokenEdit(name: name, content: Array(text.utf8), code: "value", place: place, path: path, words: words)
    }

    static let all: [BrokenEdit] = syntax + encodings + values

    private static let syntax: [BrokenEdit] = [
        .syntax("only an unclosed comment", "/* to be done\n", "1:1", "*/"),
        .syntax("a missing comma", "{\n  \"port\": 3\n  \"name\": \"x\"\n}", "3:3", "a comma"),
        .syntax("a superfluous comma", "{ \"port\": 3,, }", "1:13", "a key"),
        .syntax("a missing quote", "{ \"port: 3 }\n", "1:13", "quote"),
        .syntax("a missing brace", "{\n  \"port\": 3\n", "2:12", "the object that begins at 1:1 is not closed"),
        .syntax("a wrong bracket", "{ \"routes\": [ } ] }", "1:15", "}"),
        .syntax("two values", "{ \"port\": 3 }\n{ \"port\": 4 }\n", "2:1", "nothing more"),
        .syntax("merge conflict markers", "<<<<<<< HEAD\n{ \"port\": 3 }\n=======\n", "1:1", "<"),
        .syntax("an unquoted word", "{ \"port\": three }", "1:11", "three"),
        .syntax("single quotes", "{ 'port': 3 }", "1:3", "a key"),
        .syntax("a number with a leading zero", "{ \"port\": 03 }", "1:12", "start with 0"),
        .syntax("a tab in a string", "{ \"name\": \"a\tb\" }", "1:13", "a tab"),
        .syntax("a lone surrogate", "{ \"name\": \"\\ud800\" }", "1:12", "surrogate"),
        .syntax(
            "513 levels",
            "{ \"deep\": " + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "}",
            "1:522", "512"),
        .syntax(
            "a million levels", String(repeating: "[", count: 1_000_000), "1:513", "512"),
    ]

    private static let encodings: [BrokenEdit] = [
        .bytes("not UTF-8", Array("{ \"name\": \"caf".utf8) + [0xE9] + Array("\" }".utf8), "1:15", "UTF-8"),
        .bytes("UTF-16", [0xFF, 0xFE] + utf16("{ \"port\": 3 }"), "1:1", "UTF-16"),
        .bytes("UTF-16 without a byte order mark", utf16("{ \"port\": 3 }"), "1:2", "U+0000"),
        .bytes("a truncated character", Array("{ \"name\": \"".utf8) + [0xE2, 0x82], "1:12", "UTF-8"),
        .bytes("NUL bytes only, as after a crash", [UInt8](repeating: 0, count: 512), "1:1", "U+0000"),
        .bytes("trailing NUL bytes", Array("{ \"port\": 3 }\n".utf8) + [0, 0, 0, 0], "2:1", "U+0000"),
        .bytes("NUL bytes in a string", Array("{ \"name\": \"a".utf8) + [0] + Array("\" }".utf8), "1:13", "U+0000"),
    ]

    private static func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static let values: [BrokenEdit] = [
        .value("the wrong type", "{\n  \"port\": \"eighty\"\n}", "2:11", at: "/port", "whole number"),
        .value("a number with a fraction", "{ \"port\": 3.5 }", "1:11", at: "/port", "3.5"),
        .value(
            "a number out of range", "{ \"port\": 99999999999999999999 }", "1:11", at: "/port", "99999999999999999999"),
        .value("null for a required value", "{ \"port\": null }", "1:11", at: "/port", "null"),
        .value(
            "the wrong type of a nested value",
            "{\n  \"routes\": [\n    { \"path\": \"/a\", \"weight\": 1 },\n    { \"path\": \"/b\", \"weight\": \"2\" }\n  ]\n}",
            "4:31", at: "/routes/1/weight", "number"),
        .value(
            "the wrong type of an optional value", #"{ "routes": [{ "path": "", "weight": 1, "retries": [] }] }"#,
            "1:52", at: "/routes/0/retries", "whole number"),
        .value("an object instead of an array", "{ \"routes\": {} }", "1:13", at: "/routes", "array"),
        .value("an array as the root", "[1, 2]", "1:1", at: "", "object"),
        .value("a missing value", "{ \"routes\": [{ \"path\": \"/a\" }] }", "1:14", at: "/routes/0/weight", "missing"),
        .value("a rejected value", "{\n\n  \"port\": 7 }", "3:11", at: "/port", "must not be 7"),
        .value(
            "a rejected nested value", #"{ "routes": [{ "path": "/a", "weight": -1 }] }"#, "1:40",
            at: "/routes/0/weight", "must be 0 or more"),
        .value(
            "a rejected root",
            #"{ "routes": [\#(Array(repeating: #"{ "path": "/", "weight": 0 }"#, count: 4).joined(separator: ", "))] }"#,
            "1:1", at: "", "has too many routes"),
    ]
}
