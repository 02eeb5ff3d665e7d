import Testing

@testable import LosslessJSON

@Suite("Interpolated pointers")
struct PointerInterpolationTests {
    enum Section: String, CodingKey { case limits = "the.limits" }

    private func tokens(_ pointer: JSONPointer) -> [String] { pointer.tokens }

    @Test(
        "An interpolated value is one key, whatever it contains", arguments: ["x", "a.b", "/a", "~1~", "", ".", "é\n"])
    func oneKey(key: String) {
        #expect(tokens("limits.\(key).burst") == ["limits", key, "burst"])
        #expect(tokens("/limits/\(key)/burst") == ["limits", key, "burst"])
        #expect(tokens("\(key)") == [key])
        #expect(tokens("/\(key)") == [key])
        #expect(tokens("\(key).a") == [key, "a"])
        #expect(tokens("a.\(key)") == ["a", key])
        #expect(tokens("\(key).\(key)") == [key, key])
        #expect(tokens("/\(key)/\(key)") == [key, key])
    }

    @Test("Text and values between two separators are one key")
    func extended() {
        #expect(tokens("user-\("a.b").name") == ["user-a.b", "name"])
        #expect(tokens("/user-\("a/b")-x/name") == ["user-a/b-x", "name"])
        #expect(tokens("\("a.b")\("/c")") == ["a.b/c"])
        #expect(tokens("a.\(1)\("")\(2).b") == ["a", "12", "b"])
        #expect(tokens("/a~1\("~0")~0/b") == ["a/~0~", "b"])
        #expect(tokens("a/\("x").~0") == ["a/x", "~0"])
    }

    @Test("Strings, substrings, integers and coding keys can be interpolated")
    func types() {
        #expect(tokens("list.\(3).x") == ["list", "3", "x"])
        #expect(tokens("list.\(UInt8(255)).\(-1 as Int128)") == ["list", "255", "-1"])
        #expect(tokens("a.\("x.y".dropFirst(2)).b") == ["a", "y", "b"])
        #expect(tokens("\(Section.limits).burst") == ["the.limits", "burst"])
        #expect(tokens("a.\(true)") == ["a", "true"])
        let any: any CustomStringConvertible = 1.5
        #expect(tokens("a.\(any)") == ["a", "1.5"])
    }

    @Test("Empty keys are allowed in the form of RFC 6901")
    func emptyKeys() {
        #expect(tokens("//\("a")//") == ["", "a", "", ""])
    }

    @Test("A literal without interpolation is parsed as before")
    func plain() {
        #expect(tokens("") == [])
        #expect(tokens("a.b") == ["a", "b"])
        #expect(tokens("/a.b/~0") == ["a.b", "~"])
        let text = "limits.\("a.b")"
        #expect(text == "limits.a.b", "without a context, a literal is a string")
    }

    @Test(
        "An invalid literal is an error even if values separate its parts",
        arguments: [
            ([".", nil], .emptyName), ([nil, ".."], .emptyName), ([nil, "."], .emptyName), (["a..", nil], .emptyName),
            (["a.", nil, "..b"], .emptyName), (["/a~", nil], .tilde), (["/", nil, "/~2"], .tilde),
            (["/~", nil], .tilde),
        ] as [([String?], JSONPointerError.Code)])
    func invalid(parts: [String?], code: JSONPointerError.Code) {
        var interpolation = JSONPointer.StringInterpolation(literalCapacity: 0, interpolationCount: 1)
        for part in parts {
            if let part { interpolation.appendLiteral(part) } else { interpolation.appendInterpolation("0") }
        }
        let error = #expect(throws: JSONPointerError.self) { try interpolation.tokens() }
        #expect(error?.code == code)
        #expect(error?.text == parts.map { $0 ?? "0" }.joined())
    }

    @Test("An invalid interpolated literal traps")
    func trap() async {
        await #expect(processExitsWith: .failure) { _ = "a..\(1)" as JSONPointer }
    }
}
