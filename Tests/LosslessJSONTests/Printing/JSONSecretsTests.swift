import LosslessJSON
import Testing

@Suite("Secrets in values and messages") struct JSONSecretsTests {
    private let secrets: JSONSecrets = ["token", "db.password", "users.*.key", "list.1"]

    @Test(
        "Every secret is replaced, and nothing else",
        arguments: [
            (#"{"token": "t", "port": 1}"#, #"{"token": "<redacted>", "port": 1}"#),
            (#"{"token": {"a": ["t"]}}"#, #"{"token": "<redacted>"}"#),
            (#"{"token": 5, "x": {"token": 5}}"#, #"{"token": "<redacted>", "x": {"token": 5}}"#),
            (#"{"token": null, "db": null}"#, #"{"token": null, "db": null}"#),
            (#"{"db": {"host": "h", "password": "p"}}"#, #"{"db": {"host": "h", "password": "<redacted>"}}"#),
            (#"{"db": "p"}"#, #"{"db": "<redacted>"}"#),
            (
                #"{"users": {"a": {"key": 1, "n": 2}, "b": {"key": "k"}}}"#,
                #"{"users": {"a": {"key": "<redacted>", "n": 2}, "b": {"key": "<redacted>"}}}"#
            ),
            (#"{"users": [{"key": 1}, {"n": 2}]}"#, #"{"users": [{"key": "<redacted>"}, {"n": 2}]}"#),
            (#"{"users": {"a": "k"}}"#, #"{"users": {"a": "<redacted>"}}"#),
            (#"{"list": [1, 2, 3]}"#, #"{"list": [1, "<redacted>", 3]}"#),
            (#"{"list": [1]}"#, #"{"list": [1]}"#),
            (#""t""#, #""<redacted>""#),
            ("{}", "{}"),
        ])
    func values(value: String, expected: String) throws {
        #expect(try secrets.redacting(JSON(parsing: value)) == JSON(parsing: expected))
    }

    @Test("A part of a value is redacted by its path") func parts() {
        #expect(secrets.redacting("t", at: "token") == JSONSecrets.placeholder)
        #expect(secrets.redacting("t", at: "token.a") == JSONSecrets.placeholder)
        #expect(
            secrets.redacting(["password": "p", "host": "h"], at: "db") == ["password": "<redacted>", "host": "h"])
        #expect(secrets.redacting(["key": "k"], at: "users.a") == ["key": "<redacted>"])
        #expect(secrets.redacting("h", at: "db.host") == "h")
        #expect(secrets.redacting(["key": "k"], at: "other.a") == ["key": "k"])
        #expect(secrets.contains("users.a.key.b") && !secrets.contains("users.a") && !secrets.contains(""))
    }

    @Test("A set without patterns redacts nothing") func none() throws {
        let none: JSONSecrets = []
        #expect(none.isEmpty && none.redacting(["token": "t"]) == ["token": "t"])
        #expect(none.redacting("hunter2", in: ["token": "hunter2"]) == "hunter2")
    }

    @Test("Both sides of a change are redacted") func changes() {
        let change = JSONChange(at: "db", from: ["password": "a"], to: ["password": "b"])
        let description = secrets.redacting(change).description
        #expect(description == #"db: {"password":"<redacted>"} → {"password":"<redacted>"}"#)
        #expect(secrets.redacting(JSONChange(at: "token", from: nil, to: "a")).kind == .added)
    }

    @Test(
        "Secrets are replaced in messages of other code: plain, quoted, escaped, truncated",
        arguments: [
            (#""hunter2""#, #"found "hunter2""#, "found <redacted>"),
            (#""hunter2""#, "password hunter2 is too short", "password <redacted> is too short"),
            (#""hunter2""#, "hunter2hunter2", "<redacted><redacted>"),
            (#""abc""#, "the abc of abcdef", "the <redacted> of abcdef"),
            (#""a""#, #"a cat found "a""#, "<redacted> cat found <redacted>"),
            ("80", "8080 is not 80", "8080 is not <redacted>"),
            ("true", "found true", "found <redacted>"),
            (#""one\"two\nthree""#, #"found "one\"two\nthree""#, "found <redacted>"),
            (#""one\"two\nthree""#, "found one\"two\nthree", "found <redacted>"),
            (#""abcdefghijklmnopqrstuvwxyz""#, #"found "abcdefghijklmnopqrs…"#, "found <redacted>…"),
            (#""""#, "nothing to hide", "nothing to hide"),
            (#"{"a": ["hunter2", {"b": "hunter3"}]}"#, "hunter3 and hunter2", "<redacted> and <redacted>"),
        ])
    func messages(token: String, message: String, expected: String) throws {
        #expect(try secrets.redacting(message, in: ["token": JSON(parsing: token)]) == expected)
    }

    @Test("A message that contains a long secret as a whole keeps nothing of it") func long() {
        let secret = (0..<5_000).map { String($0) }.joined(separator: "x")
        #expect(secrets.redacting("is \(secret).", in: ["token": JSON(secret)]) == "is <redacted>.")
    }

    @Test("A message about more than a thousand secrets is replaced as a whole") func many() {
        let token = JSON.array(JSONArray((0..<2_000).map { JSON("secret\($0)") }))
        #expect(secrets.redacting("secret1999 and others", in: ["token": token]) == "<redacted>")
    }

    @Test(
        "A syntax error quotes nothing of the text",
        arguments: [
            (#"{"token": hunter2}"#, "expected a value, found <redacted>; strings need double quotes"),
            (#"{"token": 'hunter2'}"#, "expected a value, found <redacted>; strings need double quotes"),
            (#"{hunter2: 1}"#, "expected a key in double quotes, found <redacted>"),
            (#"{"token": "\hunter2"}"#, nil),
            (#"{"token": "hunter2" hunter2}"#, nil),
            (#"{"token": "hunter2""#, nil),
            (#"{"token": "hunter2"#, nil),
            ("{\"token\": \"hunter2\n\"}", nil),
            (#"{"token": "\ud834hunter2"}"#, nil),
            (#"{"token": hunter2\u0001}"#, nil),
        ] as [(String, String?)])
    func syntax(text: String, expected: String?) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }
        let redacted = secrets.redacting(error)
        #expect(error.report(file: "a").contains("hunter2"))
        #expect(!redacted.report(file: "a").contains("hunter2"), "\(redacted.message)")
        #expect(redacted.position == error.position && redacted.code == error.code && redacted.excerpt == nil)
        if let expected { #expect(redacted.message.hasPrefix(expected), "\(redacted.message)") }
    }

    private struct Settings: Codable {
        var token = ""
        var port = 0
        var db: [String: String] = [:]
    }

    private func error(decoding text: String) throws -> (JSONCodingError, JSONDocument) {
        let document = try JSONDocument(parsing: text)
        let error = try #require(throws: JSONCodingError.self) {
            try JSONValueDecoder().decode(Settings.self, from: document.value)
        }
        return (document.locating(error), document)
    }

    @Test("A decoding error of a secret has no value and no excerpt") func secretValue() throws {
        let (error, document) = try error(decoding: #"{"token": ["hunter2"], "port": 1}"#)
        #expect(secrets.redacting(error, in: document).report(file: "a") == "a:1:11: error: \(error.message)")
        let (number, other) = try self.error(decoding: #"{"token": 123456}"#)
        #expect(
            secrets.redacting(number, in: other).report(file: "a")
                == "a:1:11: error: \"token\" must be a string, found <redacted>")
    }

    @Test("The excerpt of another value shows its line with secrets replaced") func excerpt() throws {
        let (error, document) = try error(decoding: #"{"token": "hunter2", "db": {"password": "x"}, "port": "eighty"}"#)
        let report = secrets.redacting(error, in: document).report(file: "a")
        let lines = report.split(separator: "\n")
        #expect(lines.count == 3 && lines[0] == "a:1:55: error: \"port\" must be a whole number, found \"eighty\"")
        #expect(lines[1].hasSuffix(#""password": "<redacted>"}, "port": "eighty"}"#), "\(report)")
        #expect(lines[1].unicodeScalars.dropFirst(lines[2].unicodeScalars.count - 1).first == "\"")
    }

    @Test("A text with duplicate keys has no excerpts, because an ignored duplicate may be a secret") func duplicates()
        throws
    {
        let text = #"{"token": "hunter2", "token": "t", "port": "eighty"}"#
        let (error, document) = try error(decoding: text)
        #expect(secrets.redacting(error, in: document).excerpt == nil)
        let warning = try #require(document.warnings.first)
        #expect(warning.report(file: "a").contains("hunter2"))
        #expect(!secrets.redacting(warning).report(file: "a").contains("hunter2"))
    }
}
