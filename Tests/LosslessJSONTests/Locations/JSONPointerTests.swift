import LosslessJSON
import Testing

/// Paths in the syntax of RFC 6901 and in dotted form.
@Suite struct JSONPointerTests {
    /// The examples of RFC 6901, section 5.
    private let example: JSON = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        "The examples of RFC 6901 resolve as specified",
        arguments: [
            ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
            ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSON)])
    func examples(text: String, value: JSON) throws {
        let pointer = try JSONPointer(parsing: text)
        #expect(example[at: pointer] == value)
        #expect(pointer.description == text)
    }

    @Test("The empty pointer denotes the whole value")
    func root() throws {
        #expect(example[at: try JSONPointer(parsing: "")] == example)
        #expect(JSONPointer().isRoot)
        #expect(JSONPointer().description == "")
        #expect(JSONPointer().parent == nil)
        #expect(!JSONPointer([""]).isRoot)
    }

    @Test(
        "Pointers are parsed in RFC 6901 and in dotted syntax",
        arguments: [
            ("", []), ("/", [""]), ("//", ["", ""]), ("/a//b", ["a", "", "b"]), ("/a/", ["a", ""]),
            ("/~0", ["~"]), ("/~1", ["/"]), ("/~01", ["~1"]), ("/~10", ["/0"]), ("/~0~1~0", ["~/~"]), ("/~00", ["~0"]),
            ("/a.b/c", ["a.b", "c"]), ("/.", ["."]), ("/é", ["é"]), ("/a b", ["a b"]),
            ("http", ["http"]), ("http.port", ["http", "port"]), ("list.0.x", ["list", "0", "x"]),
            ("a/b.c", ["a/b", "c"]),
            ("a~b.~0", ["a~b", "~0"]), (" ", [" "]), ("~", ["~"]),
        ])
    func reading(text: String, tokens: [String]) throws {
        let pointer = try JSONPointer(parsing: text)
        #expect(pointer.tokens == tokens)
        #expect(pointer == JSONPointer(tokens))
        #expect(try JSONPointer(parsing: pointer.description) == pointer)
    }

    @Test(
        "An invalid pointer is rejected with a code and a message that quotes it",
        arguments: [
            (".", .emptyName), ("..", .emptyName), ("a..b", .emptyName), (".a", .emptyName), ("a.", .emptyName),
            ("/~", .tilde), ("/~2", .tilde), ("/a~/b", .tilde), ("/~~0", .tilde), ("/a~1b~", .tilde), ("/~ü", .tilde),
        ] as [(String, JSONPointerError.Code)])
    func errors(text: String, code: JSONPointerError.Code) throws {
        let error = try #require(throws: JSONPointerError.self) { try JSONPointer(parsing: text) }
        #expect(error.code == code)
        #expect(error.text == text)
        #expect(error.description.hasPrefix("\"\(text)\" "))
    }

    @Test("The message about an invalid pointer suggests the correct syntax")
    func messages() throws {
        let name = try #require(throws: JSONPointerError.self) { try JSONPointer(parsing: "a..b") }
        #expect(
            name.description == "\"a..b\" contains an empty name; write an empty key as /a//b"
        )
        let tilde = try #require(throws: JSONPointerError.self) { try JSONPointer(parsing: "/a~b") }
        #expect(tilde.description == "\"/a~b\" has a tilde that is not followed by 0 (for ~) or 1 (for /)")
    }

    @Test("Composed and decomposed letters are different pointers")
    func bytes() throws {
        let composed = try JSONPointer(parsing: "/\u{FC}")
        let decomposed = try JSONPointer(parsing: "/u\u{308}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, JSONPointer(["\u{FC}"])]).count == 2)
        let value: JSON = ["\u{FC}": 1, "u\u{308}": 2]
        #expect(value[at: composed] == 1)
        #expect(value[at: decomposed] == 2)
    }

    @Test("Pointers with different token boundaries are different")
    func boundaries() {
        let paths: Set<JSONPointer> = [
            JSONPointer(["ab"]), JSONPointer(["a", "b"]), JSONPointer(["", "ab"]), JSONPointer(["ab", ""]),
            JSONPointer(),
        ]
        #expect(paths.count == 5)
        #expect(JSONPointer(["a"]) != JSONPointer(["a", "a"]))
    }

    @Test(
        "The dotted form falls back to RFC 6901 syntax for tokens it cannot express, and parses back",
        arguments: [
            (["http", "port"], "http.port"), (["list", "0"], "list.0"), (["a"], "a"), (["a/b", "c"], "a/b.c"),
            ([], ""), ([""], "/"), (["a", ""], "/a/"), (["a.b"], "/a.b"), (["/a"], "/~1a"), (["a", "/b"], "a./b"),
            (["~"], "~"), (["a", "b.c", "~"], "/a/b.c/~0"),
        ])
    func dotted(tokens: [String], expected: String) throws {
        let pointer = JSONPointer(tokens)
        #expect(pointer.dotted == expected)
        #expect(try JSONPointer(parsing: pointer.dotted) == pointer, "the dotted form parses back")
        #expect(try JSONPointer(parsing: pointer.description) == pointer)
    }

    @Test("Pointers are extended with keys and indices and shortened to their parent")
    func building() {
        let path = JSONPointer("http").appending("a/b").appending(3)
        #expect(path.tokens == ["http", "a/b", "3"])
        #expect(path.description == "/http/a~1b/3")
        #expect(path.parent?.parent == "http")
        #expect(path.parent?.parent?.parent?.isRoot == true)
    }

    @Test("An array index has no leading zeros, signs or spaces", arguments: ["0", "1", "31", "32", "99"])
    func indexes(index: String) throws {
        let array = JSON.array(JSONArray((0..<100).map { JSON($0) }))
        #expect(array[at: JSONPointer([index])]?.int == Int(index))
        for wrong in ["0" + index, "+" + index, "-" + index, index + " ", index + "e0", "\u{660}"] {
            #expect(array[at: JSONPointer([wrong])] == nil)
        }
        #expect(array[at: JSONPointer(["-"])] == nil)
        #expect(array[at: JSONPointer([""])] == nil)
        #expect(array[at: JSONPointer(["100"])] == nil)
    }
}
