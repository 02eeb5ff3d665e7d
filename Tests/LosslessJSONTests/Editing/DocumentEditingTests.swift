import LosslessJSON
import Testing

@Suite("Editing a document") struct DocumentEditingTests {
    private let document = try! JSONDocument(parsing: #"{ "http": { "port": 1 }, "list": [1, 2] }"#)

    @Test("setting replaces or adds a value and creates missing intermediate objects") func setting() throws {
        #expect(try document.setting("http.port", to: 2).text == #"{ "http": { "port": 2 }, "list": [1, 2] }"#)
        #expect(
            try document.setting("http.tls.on", to: true).text
                == #"{ "http": { "port": 1, "tls": { "on": true } }, "list": [1, 2] }"#)
        #expect(try document.setting("", to: [:]).text == "{}")
        #expect(try document.setting("/a.b/", to: 1).value["a.b"] == ["": 1])
    }

    @Test("setting at the end index or at - appends to an array") func appending() throws {
        #expect(try document.setting("list.2", to: 3).text == #"{ "http": { "port": 1 }, "list": [1, 2, 3] }"#)
        #expect(try document.setting("/list/-", to: 3).value["list"] == [1, 2, 3])
        #expect(try document.setting("/list/-/x", to: 3).value["list"] == [1, 2, ["x": 3]])
        #expect(try document.setting("list.1", to: 3).value["list"] == [1, 3])
    }

    @Test("removing deletes a member or an element") func removing() throws {
        #expect(try document.removing("http").text == #"{ "list": [1, 2] }"#)
        #expect(try document.removing("list.0").text == #"{ "http": { "port": 1 }, "list": [2] }"#)
    }

    @Test("An impossible edit throws an error with a code, and removing a missing value also names its path")
    func errors() {
        func error(_ body: () throws -> JSONDocument) -> JSONEditError? {
            #expect(throws: JSONEditError.self) { try body() }
        }
        let missing = error { try document.removing("http.tls") }
        #expect(missing?.code == .missing && missing?.path == "http.tls")
        #expect(missing?.description == #""http.tls" does not exist"#)
        #expect(error { try document.setting("http.port.x", to: 1) }?.code == .missing)
        #expect(error { try document.setting("list.3", to: 1) }?.code == .missing)
        #expect(error { try document.setting("list.x", to: 1) }?.code == .missing)
        #expect(error { try document.setting("list.00", to: 1) }?.code == .missing)
        let root = error { try document.removing("") }
        #expect(root?.code == .root && root?.description == "the whole value cannot be removed")
        let present = error { try document.applying([JSONChange(at: "http", from: nil, to: 1)]) }
        #expect(present?.code == .present && present?.description == #""http" already exists"#)
        for change in [
            JSONChange(at: "a.b", from: 1, to: 2), JSONChange(at: "a", from: 1, to: 2),
            JSONChange(at: "a", from: 1, to: nil),
            JSONChange(at: "list.2", from: 1, to: 2), JSONChange(at: "list.2", from: 1, to: nil),
            JSONChange(at: "list.3", from: nil, to: 1), JSONChange(at: "list.a", from: nil, to: 1),
            JSONChange(at: "list.0.a", from: nil, to: 1), JSONChange(at: "new.b", from: nil, to: 1),
        ] {
            #expect(error { try document.applying([change]) }?.code == .missing, "\(change)")
            #expect(throws: JSONEditError.self) { try document.value.applying([change]) }
        }
    }

    @Test("applying makes changes in order, including changes inside values added by earlier changes")
    func sequences() throws {
        let changes = [
            JSONChange(at: "new", from: nil, to: ["a": [1]]), JSONChange(at: "new.a.1", from: nil, to: 2),
            JSONChange(at: "new.b", from: nil, to: 1), JSONChange(at: "new.b", from: 1, to: nil),
            JSONChange(at: "list.0", from: nil, to: [:]), JSONChange(at: "list.0.x", from: nil, to: 1),
            JSONChange(at: "list.3", from: nil, to: 9), JSONChange(at: "list.3", from: 9, to: nil),
            JSONChange(at: "http", from: ["port": 1], to: nil), JSONChange(at: "http", from: nil, to: ["port": 5]),
        ]
        let edited = try document.applying(changes)
        #expect(edited.text == #"{ "http": { "port": 5 }, "list": [{ "x": 1 }, 1, 2], "new": { "a": [1, 2] } }"#)
        #expect(edited.value == (try document.value.applying(changes)))
        try expectAgreement(edited)
        #expect(throws: JSONEditError.self) {
            try document.applying(
                changes + [JSONChange(at: "new.a.1", from: nil, to: 1), .init(at: "new.a", from: nil, to: 1)])
        }
    }

    @Test("An edit that changes nothing keeps the text and the identical value") func nothing() throws {
        #expect(try document.applying([]).value.isIdentical(to: document.value))
        let same = try document.setting("http", to: ["port": 1.0])
        #expect(same.text == document.text && same.value.isIdentical(to: document.value))
    }

    @Test("An edit that exceeds the depth or size limit of the document is rejected") func limits() throws {
        let options = JSONDocument.Options(depthLimit: 2, sizeLimit: 20)
        let document = try JSONDocument(parsing: #"{"a": {"b": 1}}"#, options: options)
        #expect(#expect(throws: JSONEditError.self) { try document.setting("a.b", to: [:]) }?.code == .depth)
        #expect(#expect(throws: JSONEditError.self) { try document.setting("c.d", to: []) }?.code == .depth)
        #expect(try document.setting("a", to: []).text == #"{"a": []}"#)
        let long = #expect(throws: JSONEditError.self) { try document.setting("a.b", to: "123456") }
        #expect(long?.code == .size && long?.description == "the text would be longer than the limit allows")
        #expect(try document.setting("a.b", to: "1234").text.utf8.count == 20)
    }

    @Test("An edit shares unchanged values with the original document") func sharing() throws {
        let other = try JSONDocument(parsing: #"{"long": "a string that is longer than fourteen bytes"}"#)
        let edited = try document.setting("http.name", to: other.value["long"]!)
        #expect(edited.value["list"]!.isIdentical(to: document.value["list"]!))
        #expect(edited.value["http"]?["name"] == other.value["long"])
    }

    @Test("applying makes 40,000 changes on one line in one pass") func manyEdits() throws {
        let count = 20_000
        // On one line: searching for the start of the line at every change would take quadratic time.
        let text = "{\"list\": [" + (0..<count).map { "{ \"n\": \($0), \"e\": {} }" }.joined(separator: ", ") + "]}"
        let document = try JSONDocument(parsing: text)
        let changes = (0..<count).flatMap { number in
            [
                JSONChange(at: JSONPointer(["list", "\(number)", "n"]), from: JSON(number), to: JSON(-number - 1)),
                JSONChange(at: JSONPointer(["list", "\(number)", "e", "x"]), from: nil, to: 1),
            ]
        }
        let edited = try document.applying(changes)
        #expect(edited.text.hasPrefix(#"{"list": [{ "n": -1, "e": { "x": 1 } }, { "n": -2, "e": { "x": 1 } }, "#))
        let emptied = try edited.applying(
            (0..<count).reversed().map { JSONChange(at: JSONPointer(["list", "\($0)"]), from: 0, to: nil) })
        #expect(emptied.text == #"{"list": []}"#)
        let filled = try emptied.applying(
            (0..<count).map { JSONChange(at: JSONPointer(["list", "\($0)"]), from: nil, to: JSON($0)) })
        #expect(filled.value["list"]?.array?.count == count)
        try expectAgreement(filled)
    }
}
