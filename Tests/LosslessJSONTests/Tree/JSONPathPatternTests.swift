import LosslessJSON
import Testing

/// Patterns for paths, in which an asterisk stands for any one key or index.
@Suite struct JSONPathPatternTests {
    struct Example: Sendable {
        let pattern: String
        let matching: [String]
        let inside: [String]
        let others: [String]
    }

    static let examples: [Example] = [
        Example(pattern: "", matching: [""], inside: ["/a", "/", "/a/b"], others: []),
        Example(
            pattern: "peers", matching: ["/peers"], inside: ["/peers/0", "/peers/x/y"], others: ["", "/peer", "/"]),
        Example(
            pattern: "/tenants/*/hosts", matching: ["/tenants/a/hosts", "/tenants/0/hosts", "/tenants//hosts"],
            inside: ["/tenants/a/hosts/0"], others: ["/tenants/a", "/tenants/a/b/hosts", "/tenant/a/hosts", ""]),
        Example(
            pattern: "tenants.*.hosts", matching: ["/tenants/a.b/hosts", "/tenants/*/hosts"],
            inside: ["/tenants/a/hosts/0/1"], others: ["/tenants/a/host", "/tenants//host"]),
        Example(pattern: "*", matching: ["/a", "/0", "/", "/*"], inside: ["/a/b"], others: [""]),
        Example(pattern: "/*/*", matching: ["/a/b", "//"], inside: ["/a/b/c"], others: ["/a", ""]),
        Example(pattern: "/~2", matching: ["/*"], inside: ["/*/a"], others: ["/a", "/~02"]),
        Example(pattern: "/a~2/*", matching: ["/a*/x"], inside: ["/a*/x/y"], others: ["/ab/x"]),
        Example(pattern: "/a*/**", matching: ["/a*/**"], inside: [], others: ["/ab/c", "/a*/*"]),
        Example(pattern: "a.~2", matching: ["/a/~02"], inside: [], others: ["/a/*", "/a/b"]),
        Example(pattern: "/~0~1~2", matching: ["/~0~1*"], inside: [], others: ["/~0~1a"]),
        Example(pattern: "/\u{E9}", matching: ["/\u{E9}"], inside: [], others: ["/e\u{301}"]),
        Example(pattern: "/*\u{301}", matching: ["/*\u{301}"], inside: [], others: ["/a", "/*"]),
    ]

    @Test("A pattern matches the paths that have its keys, and any token in place of an asterisk", arguments: examples)
    func matching(example: Example) throws {
        let pattern = try JSONPathPattern(parsing: example.pattern)
        for path in example.matching.map({ JSONPointer(stringLiteral: $0) }) {
            #expect(pattern.matches(path) && pattern.matchesPrefix(of: path), "\(path)")
        }
        for path in example.inside.map({ JSONPointer(stringLiteral: $0) }) {
            #expect(!pattern.matches(path) && pattern.matchesPrefix(of: path), "\(path)")
        }
        for path in example.others.map({ JSONPointer(stringLiteral: $0) }) {
            #expect(!pattern.matches(path) && !pattern.matchesPrefix(of: path), "\(path)")
        }
        #expect(try JSONPathPattern(parsing: pattern.description) == pattern, "the description parses back")
    }

    @Test("A pattern made of a path matches that path only, even with keys that are asterisks")
    func exact() throws {
        let pattern = JSONPathPattern(JSONPointer(["*", "a~/"]))
        #expect(pattern.matches("/*/a~0~1") && !pattern.matches("/x/a~0~1"))
        #expect(pattern.description == "/~2/a~0~1")
        #expect(pattern != "/*/a~0~1" && pattern == "/~2/a~0~1")
        #expect(JSONPathPattern("/\u{E9}") != JSONPathPattern("/e\u{301}"))
    }

    @Test(
        "An invalid pattern is rejected with a code and a message that lists the escapes",
        arguments: [
            ("a..b", .emptyName), (".*", .emptyName), ("/~", .tilde), ("/~3", .tilde), ("/a~/*", .tilde),
        ] as [(String, JSONPointerError.Code)])
    func errors(text: String, code: JSONPointerError.Code) throws {
        let error = try #require(throws: JSONPointerError.self) { try JSONPathPattern(parsing: text) }
        #expect(error.code == code && error.text == text)
        if code == .tilde {
            #expect(
                error.description
                    == "\"\(text)\" has a tilde that is not followed by 0 (for ~), 1 (for /) or 2 (for *)")
        }
    }

    @Test("An asterisk has no escape in a pointer") func pointers() throws {
        #expect(throws: JSONPointerError.self) { try JSONPointer(parsing: "/~2") }
        #expect(try JSONPointer(parsing: "/*").tokens == ["*"])
    }

    @Test(
        "The paths of a pattern are those of the values that it denotes, in the order of the text",
        arguments: [
            ("a.x", ["/a/x"]), ("*.x", ["/b/x", "/a/x", "/*/x"]), ("/*/x", ["/b/x", "/a/x", "/*/x"]),
            ("/~2/x", ["/*/x"]),
            ("list.*", ["/list/0", "/list/1"]), ("list.*.y", ["/list/1/y"]), ("a.x.*", []), ("z", []), ("", [""]),
        ] as [(String, [String])])
    func paths(pattern: String, expected: [String]) throws {
        let root = try JSON(
            parsing: #"{ "b": { "x": 1 }, "a": { "x": 2 }, "*": { "x": 3 }, "list": [0, { "y": 1 }], "a.x": 4 }"#)
        let pattern = try JSONPathPattern(parsing: pattern)
        #expect(pattern.paths(in: root).map(\.description) == expected)
        #expect(pattern.paths(in: root).allSatisfy { root[at: $0] != nil && pattern.matches($0) })
    }
}
