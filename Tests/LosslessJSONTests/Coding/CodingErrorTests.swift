import LosslessJSON
import Testing

@Suite("Coding errors")
struct CodingErrorTests {
    enum Level: String, Codable, CaseIterable { case quiet, normal, loud }
    enum Hidden: String, Codable { case one }
    enum Number: Int, Codable, CaseIterable {
        case one = 1
        case two
    }

    struct Limits: Codable {
        var burst = 3
    }

    struct Port: Codable {
        var number: Int

        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            guard number > 1023 else { throw JSONMismatch(expected: "a port above 1023") }
        }
    }

    struct Odd: Codable {
        struct NotOdd: Error {}

        init(from decoder: any Decoder) throws {
            if try decoder.singleValueContainer().decode(Int.self).isMultiple(of: 2) { throw NotOdd() }
        }
    }

    struct Server: Codable {
        var port: Int?
        var small: UInt8?
        var ratio: Double?
        var on: Bool?
        var name: String?
        var limits: Limits?
        var ports: [Port]?
        var level: Level?
        var hidden: Hidden?
        var number: Number?
        var odd: Odd?
        var table: [String: Limits]?
        var tags: [Int: String]?
    }

    private func failure(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> JSONCodingError? {
        do {
            _ = try JSONDocument(parsing: text).decode(Server.self)
            Issue.record("decoded", sourceLocation: sourceLocation)
            return nil
        } catch let error as JSONCodingError {
            return error
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
            return nil
        }
    }

    @Test("The report of a wrong type contains file, line, column, and the found value")
    func report() throws {
        let error = try #require(failure("{\n  \"port\": \"eighty\"\n}"))
        #expect(
            error.report(file: "server.json") == """
                server.json:2:11: error: "port" must be a whole number, found "eighty"
                  "port": "eighty"
                          ^
                """)
        #expect(error.code == .type)
        #expect(error.path == "/port")
    }

    @Test(
        "The message of a decoding error states the expected value, the found value, and the path",
        arguments: [
            (#"{"port": 1.5}"#, #""port" must be a whole number, found 1.5"#),
            (#"{"port": true}"#, #""port" must be a whole number, found true"#),
            (#"{"port": [1]}"#, #""port" must be a whole number, found an array"#),
            (
                #"{"port": 1e30}"#,
                #""port" must be a whole number from -9223372036854775808 to 9223372036854775807, found 1e30"#
            ),
            (#"{"small": 256}"#, #""small" must be a whole number from 0 to 255, found 256"#),
            (#"{"small": -1}"#, #""small" must be a whole number from 0 to 255, found -1"#),
            (#"{"ratio": "x"}"#, #""ratio" must be a number, found "x""#),
            (#"{"ratio": 1e999}"#, #""ratio" must be a number within ±1.8e308, found 1e999"#),
            (#"{"on": 1}"#, #""on" must be true or false, found 1"#),
            (#"{"name": 1}"#, #""name" must be a string, found 1"#),
            (#"{"limits": 4}"#, #""limits" must be an object, found 4"#),
            (#"{"limits": {}}"#, #""limits.burst" is missing"#),
            (#"{"limits": {"burst": null}}"#, #""limits.burst" must be a whole number, found null"#),
            (#"{"ports": {}}"#, #""ports" must be an array, found an object"#),
            (#"{"ports": [2000, "x"]}"#, #""ports.1" must be a whole number, found "x""#),
            (#"{"ports": [80]}"#, #""ports.0" must be a port above 1023, found 80"#),
            (#"{"level": "shrill"}"#, #""level" must be one of "quiet", "normal", "loud", found "shrill""#),
            (#"{"level": 3}"#, #""level" must be a string, found 3"#),
            (#"{"hidden": "two"}"#, #""hidden" must be a valid Hidden, found "two""#),
            (#"{"number": 3}"#, #""number" must be one of 1, 2, found 3"#),
            (#"{"odd": 2}"#, #""odd" is not valid: NotOdd()"#),
            (#"{"table": {"a.b": {"burst": "x"}}}"#, #""/table/a.b/burst" must be a whole number, found "x""#),
            (#"{"tags": {"one": "x"}}"#, #""tags.one" must be a whole number in quotes, found "one""#),
            ("[]", "the value must be an object, found an array"),
        ])
    func messages(text: String, message: String) throws {
        #expect(try #require(failure(text)).message == message)
    }

    @Test("Keys that denote the same integer in different spellings are rejected, not merged")
    func foldedKeys() throws {
        let error = try #require(failure(#"{"tags": {"1": "a", "1.0": "b"}}"#))
        #expect(error.message == #""/tags/1.0" must be a whole number in quotes, found "1.0""#)
        #expect(try #require(failure(#"{"tags": {"01": "a"}}"#)).path == "/tags/01")
        #expect(try #require(failure(#"{"tags": {"+1": "a"}}"#)).path == "/tags/+1")
    }

    @Test("An invalid value of the right type has the code value, a value of a wrong type the code type")
    func codes() throws {
        #expect(try #require(failure(#"{"ports": [80]}"#)).code == .value)
        #expect(try #require(failure(#"{"ports": ["x"]}"#)).code == .type)
    }

    @Test("An error thrown while a type encodes itself carries the path and the underlying error")
    func encodingPath() {
        struct EncodingFailure: Error {}
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws { throw EncodingFailure() }
        }
        let error = #expect(throws: JSONCodingError.self) { try JSONValueEncoder().encode(["a": ["b": Failing()]]) }
        #expect(error?.path == "/a/b")
        #expect(error?.underlying is EncodingFailure)
    }

    @Test("Long strings are shortened and control characters escaped in messages")
    func foundText() throws {
        let long = String(repeating: "x", count: 500)
        let message = try #require(failure(#"{"port": "\#(long)"}"#)).message
        #expect(message.count < 120)
        #expect(message.hasSuffix("x…"))
        #expect(try #require(failure(#"{"port": "\u001b[31m"}"#)).message.contains(#"\u001b"#))
    }

    @Test("Error messages and warnings contain no terminal control characters")
    func terminalSafety() throws {
        let hostile = "\u{9B}31m\u{202E}\u{1B}]0;x\u{7}"
        let escaped = #"\u009b31m\u202e\u001b]0;x\u0007"#
        let messages = [
            try #require(failure(#"{"table": {"\#(escaped)": {"burst": "\#(escaped)"}}}"#)).message,
            try #require(JSONDocument(parsing: #"{"\#(escaped)": 1, "\#(escaped)": 2}"#).warnings.first).message,
            try #require(#expect(throws: JSONPointerError.self) { try JSONPointer(parsing: "a..\(hostile)") })
                .description,
        ]
        for message in messages {
            #expect(
                message.unicodeScalars.allSatisfy { !"\u{9B}\u{202E}\u{1B}\u{7}".unicodeScalars.contains($0) },
                "\(message)")
        }
    }

    @Test("The error about a missing key has the location of the object that lacks it")
    func missingLocation() throws {
        let error = try #require(failure("{\n  \"limits\": {}\n}"))
        #expect(error.code == .missing)
        #expect(error.path == "/limits/burst")
        #expect(error.location?.description == "2:13")
    }

    @Test("A type can catch a typeMismatch and decode another type")
    func lenientType() throws {
        struct Lenient: Decodable {
            var number: Int

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                do {
                    number = try container.decode(Int.self)
                } catch DecodingError.typeMismatch {
                    number = Int(try container.decode(String.self)) ?? 0
                }
            }
        }
        #expect(try JSONValueDecoder().decode([Lenient].self, from: [7, "8"]).map(\.number) == [7, 8])
    }

    @Test("A decoding error carries the error that the type threw, with path and location")
    func underlying() throws {
        let error = try #require(failure(#"{"odd": 2}"#))
        #expect(error.underlying is Odd.NotOdd)
        #expect(error.path == "/odd")
        #expect(error.location?.column == 9)
    }

    @Test("Encoding infinity or NaN fails, and the error for NaN names its path")
    func notANumber() {
        struct Measure: Encodable {
            var values: [Double]
        }
        let error = #expect(throws: JSONCodingError.self) {
            try JSONValueEncoder().encode(["a": Measure(values: [1, .nan])])
        }
        #expect(error?.code == .unrepresentable)
        #expect(error?.message == #""a.values.1" cannot be written: JSON has no number nan"#)
        #expect(throws: JSONCodingError.self) { try JSONValueEncoder().encode(-Float.infinity) }
    }
}
