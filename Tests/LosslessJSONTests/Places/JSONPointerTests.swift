import LosslessJSON
import Testing

/// Paths as RFC 6901 writes them, and as people type them.
@Suite struct JSONPointerTests {
    /// The examples of RFC 6901, section 5.
    private let example: JSON = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        "the examples of RFC 6901 lead where it says",
        arguments: [
            ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
            ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSON)])
    func examples(text: String, value: JSON) throws {
        let pointer = try JSONPointer(parsing: text)
        #expect(example[at: pointer] == value)
        #expect(pointer.description == text)
    }

    @Test("the empty text is the whole value")
    func root() throws {
        #expect(example[at: try JSONPointer(parsing: "")] == example)
        #expect(JSONPointer().isRoot)
        #expect(JSONPointer().description == "")
        #expect(JSONPointer().parent == nil)
        #expect(!JSONPointer([""]).isRoot)
    }

    @Test(
        "both forms are read",
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
        "what is no path is refused with the reason",
        arguments: [
            (".", .emptyName), ("..", .emptyName), ("a..b", .emptyName), (".a", .emptyName), ("a.", .emptyName),
            ("/~", .tilde), ("/~2", .tilde), ("/a~/b", .tilde), ("/~~0", .tilde), ("/a~1b~", .tilde), ("/~ü", .tilde),
        ] as [(String, JSONPointerError.Code)])
    func refusals(text: String, code: JSONPointerError.Code) throws {
        let error = try #require(throws: JSONPointerError.self) { try JSONPointer(parsing: text) }
        #expect(error.code == code)
        #expect(error.text == text)
        #expect(error.description.hasPrefix("\"\(text)\" has "))
    }

    @Test("the reasons help to write it right")
    func reasons() throws {
        let name = try #require(throws: JSONPointerError.self) { try JSONPointer(parsing: "a..b") }
        #expect(
            name.description == "\"a..b\" has an empty name between its dots; an empty key is reached by the form /a//b"
        )
        let tilde = try #require(throws: JSONPointerError.self) { try JSONPointer(parsing: "/a~b") }
        #expect(tilde.description == "\"/a~b\" has a tilde that is not followed by 0 (for ~) or 1 (for /)")
    }

    @Test("composed and decomposed letters are different paths")
    func bytes() throws {
        let composed = try JSONPointer(parsing: "/\u{FC}")
        let decomposed = try JSONPointer(parsing: "/u\u{308}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, JSONPointer(["\u{FC}"])]).count == 2)
        let value: JSON = ["\u{FC}": 1, "u\u{308}": 2]
        #expect(value[at: composed] == 1)
        #expect(value[at: decomposed] == 2)
    }

    @Test("tokens do not run together")
    func boundaries() {
        let paths: Set<JSONPointer> = [
            JSONPointer(["ab"]), JSONPointer(["a", "b"]), JSONPointer(["", "ab"]), JSONPointer(["ab", ""]),
            JSONPointer(),
        ]
        #expect(paths.count == 5)
        #expect(JSONPointer(["a"]) != JSONPointer(["a", "a"]))
    }

    @Test(
        "people are shown the dotted form where there is one",
        arguments: [
            (["http", "port"], "http.port"), (["list", "0"], "list.0"), (["a"], "a"), (["a/b", "c"], "a/b.c"),
            ([], ""), ([""], "/"), (["a", ""], "/a/"), (["a.b"], "/a.b"), (["/a"], "/~1a"), (["a", "/b"], "a./b"),
            (["~"], "~"), (["a", "b.c", "~"], "/a/b.c/~0"),
        ])
    func dotted(tokens: [String], expected: String) throws {
        let pointer = JSONPointer(tokens)
        #expect(pointer.dotted == expected)
        #expect(try JSONPointer(parsing: pointer.dotted) == pointer, "what is shown can be typed")
        #expect(try JSONPointer(parsing: pointer.description) == pointer)
    }

    @Test("a path is made longer and shorter")
    func building() {
        let path = JSONPointer("http").appending("a/b").appending(3)
        #expect(path.tokens == ["http", "a/b", "3"])
        #expect(path.description == "/http/a~1b/3")
        #expect(path.parent?.parent == "http")
        #expect(path.parent?.parent?.parent?.isRoot == true)
    }

    @Test("an index is written without leading zeros and signs", arguments: ["0", "1", "31", "32", "99"])
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
