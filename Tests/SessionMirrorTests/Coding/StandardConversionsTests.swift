import Foundation
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Standard conversions")
struct StandardConversionsTests {
    private let encoder = JSONValueEncoder(conversions: .standard)
    private let decoder = JSONValueDecoder(conversions: .standard)

    struct Everything: Codable, Equatable {
        var home = URL(string: "https://example.org/a%20b?c=1#d")!
        var pause = Duration.milliseconds(1_500)
        var began = Date(timeIntervalSinceReferenceDate: 0.25)
        var key = Data([0, 255, 16])
        var price = Decimal(string: "12345678901234567890.10")!
        var later: Date?
        var all = ["x": [Date(timeIntervalSince1970: 0)]]
    }

    private func expectMismatch<Value: Decodable & Sendable>(_ type: Value.Type, _ text: String, _ message: String)
        throws
    {
        let json = try JSON(parsing: #"{"at": \#(text)}"#)
        let error = #expect(throws: JSONCodingError.self) { try decoder.decode([String: Value].self, from: json) }
        #expect(error?.message == #""at" must be \#(message), found \#(json["at"]!.description)"#)
    }

    @Test("Durations, URLs, dates, data and decimal numbers are encoded readably at any depth and decoded again")
    func everything() throws {
        let json = try encoder.encode(Everything())
        let text = """
            {"home":"https://example.org/a%20b?c=1#d","pause":"1.5s","began":"2001-01-01T00:00:00.25Z","key":"AP8Q",\
            "price":12345678901234567890.1,"all":{"x":["1970-01-01T00:00:00Z"]}}
            """
        #expect(json.description == text)
        #expect(try decoder.decode(Everything.self, from: JSON(parsing: text)) == Everything())
    }

    @Test(
        "A URL with a scheme or an absolute path is encoded as its absolute string",
        arguments: [
            "https://example.org", "HTTP://example.org:80/", "file:///tmp/a", "file:/tmp/a%20b", "mailto:a@example.org",
            "data:,hi", "urn:isbn:1", "http://[::1]:80/", "http://[fe80::1%25eth0]/a",
            "https://example.org/a?b=%C3%A4#c", "/",
            "/run/a.sock", "/a%20b",
        ])
    func urls(text: String) throws {
        let url = try decoder.decode(URL.self, from: JSON(text))
        #expect(url.absoluteString == text)
        #expect(try encoder.encode(url) == JSON(text))
    }

    @Test(
        "A relative URL, a space and any other invalid character are rejected in URLs",
        arguments: [
            #""""#, #""not a url""#, #""a/b?c""#, #""example.org""#, #""//example.org/a""#, #""//""#, #""?a""#,
            ##""#a""##,
            #"":""#, #""http://[::1""#, #""http://a b/""#, #""/a b""#, #"" /a""#, #""https://a/%zz""#,
            #""https://a/ä""#,
            #""https://a/\\b""#, #""https://a/\n""#, #""https://a/\u0000""#, "1", "null",
        ])
    func invalidURLs(text: String) throws {
        try expectMismatch(URL.self, text, "a URL like https://example.org/path")
    }

    @Test("A URL that could not be decoded again is not encoded") func unreadableURLs() throws {
        let base = try #require(URL(string: "https://example.org/a/b"))
        #expect(try encoder.encode(URL(string: "c", relativeTo: base)) == "https://example.org/a/c")
        #expect(try encoder.encode(URL(filePath: "/tmp/ä b/[c]")) == "file:///tmp/%C3%A4%20b/%5Bc%5D")
        for text in ["a/b", "//example.org/a", "#a"] {
            let url = try #require(URL(string: text))
            let error = #expect(throws: JSONCodingError.self) { try encoder.encode(["at": url]) }
            #expect(
                error?.code == .unrepresentable
                    && error?.message == #""at" cannot be written: must be a URL like https://example.org/path"#)
        }
    }

    @Test("Data is encoded as Base64, and any other spelling is rejected")
    func data() throws {
        for count in 0..<20 {
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) })
            let json = try encoder.encode(data)
            #expect(json == JSON(data.base64EncodedString()))
            #expect(try decoder.decode(Data.self, from: json) == data)
        }
        for text in ["====", "a", "aGVsbG8", "aGVsbG9=", "aGVs bG8=", "_-8=", "aGVsbG8=\\n", "é"] {
            try expectMismatch(Data.self, "\"\(text)\"", "bytes in Base64, like aGVsbG8=")
        }
        try expectMismatch(Data.self, "8", "bytes in Base64, like aGVsbG8=")
    }

    @Test(
        "A decimal number is decoded exactly and encoded in plain notation",
        arguments: [
            ("0", "0"), ("-0.0", "0"), ("0.1", "0.1"), ("1e3", "1000"), ("12.500", "12.5"), ("-1.5E-3", "-0.0015"),
            ("0.30000000000000000000000000000000000001", "0.30000000000000000000000000000000000001"),
            ("18446744073709551616", "18446744073709551616"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            ("1e-100", "0." + String(repeating: "0", count: 99) + "1"),
            ("1e100", "1" + String(repeating: "0", count: 100)),
        ])
    func decimals(text: String, written: String) throws {
        let json = try JSON(parsing: text)
        let decimal = try decoder.decode(Decimal.self, from: json)
        let back = try encoder.encode(decimal)
        #expect(back.description == written)
        #expect(back == json, "the value changed")
    }

    @Test("A decimal number that would be rounded is rejected, and so are other types and NaN")
    func inexactDecimals() throws {
        let long = String(repeating: "1", count: 40)
        for text in ["\(long)", "0.\(long)", "1e200", "1e-200", "1e99999999999", "true"] {
            let json = try JSON(parsing: text)
            let error = #expect(throws: JSONCodingError.self) { try decoder.decode(Decimal.self, from: json) }
            #expect(error?.message.hasPrefix("the value must be a number of at most 38 digits, found ") == true)
        }
        try expectMismatch(Decimal.self, #""1.5""#, "a number of at most 38 digits")
        let error = #expect(throws: JSONCodingError.self) { try encoder.encode(["a": Decimal.nan]) }
        #expect(error?.code == .unrepresentable && error?.message == #""a" cannot be written: must be a number"#)
    }

    @Test("A random decimal number of any length and exponent round-trips", arguments: SeededGenerator.seeds)
    func randomDecimals(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<500 {
            let digits = (0...random.below(38)).map { _ in String(random.below(10)) }.joined()
            let number = try #require(Decimal(string: digits))
            let decimal = Decimal(
                sign: random.chance(50) ? .plus : .minus, exponent: random.below(181) - 100, significand: number)
            let json = try encoder.encode(decimal)
            #expect(try decoder.decode(Decimal.self, from: json) == decimal, "\(digits)")
        }
    }
}
