import StoredValues
import TestSupport
import Testing

/// Values that cannot be used.
extension StoredTests {
    @Test("A value of the wrong type leaves the last usable one, and says where it is; others go on") func wrongType()
        throws
    {
        try folder.write("values.json", #"{ "count": 3, "name": "ann" }"#)
        session.mirror.reload()
        let (count, text) = (Stored("count", default: 1, in: session), Stored("count", default: "", in: session))
        let name = Stored("name", default: "", in: session)
        eventually("the file is loaded") { count.value == 3 }
        #expect(text.value == "")
        #expect(text.problem?.message == #""count" must be a string, found 3"#)
        #expect(count.problem == nil)
        try folder.write("values.json", "{ \"name\": \"bob\",\n  \"count\": \"many\" }")
        eventually("the edit arrives") { name.value == "bob" }
        #expect(count.value == 3 && text.value == "many" && text.problem == nil)
        let problem = try #require(count.problem)
        #expect(
            problem.description.hasSuffix("values.json:2:12: warning: \"count\" must be a whole number, found \"many\"")
        )
        eventually("the status has it") { session.mirror.status.warnings.contains { $0.path == "/count" } }
        count.value = 4
        #expect(count.value == 4 && count.problem == nil && text.problem != nil)
        eventually("the warning ends") { !session.mirror.status.warnings.contains { $0 == problem } }
    }

    @Test("Keys that the session's type does not have are no longer unknown once a wrapper uses one") func unknownKeys()
        throws
    {
        struct Server: Codable, Sendable { var port = 8080 }
        try folder.write("server.json", #"{ "name": "ann" }"#)
        let typed = try Session(Server(), at: folder.path(of: "server.json"))
        #expect(typed.mirror.status.warnings.count == 1)
        let name = Stored("name", default: "", in: typed)
        eventually("the warning ends") { typed.mirror.status.warnings.isEmpty }
        try folder.write("server.json", #"{ "name": "bob", "other": 1 }"#)
        eventually("the edit arrives") { name.value == "bob" }
        #expect(typed.mirror.status.warnings.isEmpty)
    }

    @Test("A missing member of a value, and a text above it, are problems; an assignment replaces the value")
    func missingMember() throws {
        struct Entry: Codable, Sendable, Equatable {
            var name: String
            var size: Int
        }
        try folder.write("values.json", "{ \"list\": [{ \"size\": 1 }],\n  \"count\": 5 }")
        session.mirror.reload()
        let list = Stored("list", default: [Entry](), in: session)
        let deeper = Stored(wrappedValue: 3, at: "/count/deeper", in: session)
        eventually("the file is loaded") { session["count"] == 5 }
        #expect(list.value == [] && list.problem?.message == #""list.0.name" is missing"#)
        #expect(list.problem?.location?.line == 1)
        #expect(deeper.value == 3 && deeper.problem?.message == #""count" must be an object with "deeper""#)
        #expect(deeper.problem?.location?.line == 2)
        eventually("the status has both") { session.mirror.status.warnings.count == 2 }
        deeper.value = 4
        #expect(deeper.value == 3 && deeper.problem != nil)
        list.value = [Entry(name: "a", size: 1)]
        #expect(list.problem == nil && list.value == [Entry(name: "a", size: 1)])
    }

    @Test("A value without a JSON form is rejected and reported, and the last one stays") func rejected() throws {
        let problems = Received<SessionProblem>()
        let token = session.mirror.observe { report in if case .problem(let problem) = report { problems.add(problem) }
        }
        @Stored("ratio", in: session) var ratio = 0.5
        ratio = .nan
        #expect(ratio == 0.5 && !$ratio.isSet)
        eventually("the rejection is reported") { problems.items.map(\.code.name) == ["rejectedAssignment"] }
        #expect(problems.items.first?.message.contains(#""ratio" cannot be written"#) == true)
        $ratio.update { $0 = .infinity }
        #expect(ratio == 0.5)
        eventually("the update is reported, too") { problems.items.count == 2 }
        withExtendedLifetime(token) {}
    }

    @Test("The problem of a value has its current line, and one that the program has caused has it once it is saved")
    func movedProblem() throws {
        try folder.write("values.json", "{\n  \"count\": \"many\" }")
        session.mirror.reload()
        let count = Stored("count", default: 1, in: session)
        eventually("the file is loaded") { count.problem?.location?.line == 2 }
        try folder.write("values.json", "{\n  // how many\n\n  \"count\": \"many\" }")
        eventually("the edit is loaded") { count.problem?.location?.line == 4 }
        let name = Stored("name", default: 1, in: session)
        Stored("name", default: "", in: session).value = "ann"
        #expect(name.value == 1 && name.problem?.message == #""name" must be a whole number, found "ann""#)
        try session.flushBlocking()
        #expect(name.problem?.location?.line == 5)
    }

    @Test("A value of the wrong type is a warning also if another value changes, and is saved, at once")
    func hastyChange() throws {
        for number in 0..<50 {
            let key = "key \(number)"
            let saving = TestThread { [session] in try? session.flushBlocking() }
            try session.set(JSONPointer([key]), to: "text")
            #expect(Stored(key, default: 1, in: session).value == 1)
            try session.set("/other", to: JSON(number))
            saving.join()
            eventually("the warning is in the status") {
                session.mirror.status.warnings.contains { $0.path == JSONPointer([key]) }
            }
        }
    }

    @Test(
        "Keys may be any text, and pointers lead anywhere",
        arguments: [["", "a/b", "~", "~0", "a.b", "-", "0", "\u{0}é", "scenes"]])
    func keys(keys: [String]) throws {
        for (number, key) in keys.enumerated() { Stored(key, default: -1, in: session).value = number }
        try session.set("/list", to: [1, 2])
        Stored(wrappedValue: 0, at: "/list/1", in: session).value = 5
        Stored(wrappedValue: 0, at: "/list/9", in: session).value = 5
        let whole = Stored(wrappedValue: [String: JSON](), at: "", in: session)
        #expect(whole.value.keys.sorted() == (keys + ["list"]).sorted())
        try session.closeBlocking()
        let saved = try JSON(parsing: folder.read("values.json"))
        for (number, key) in keys.enumerated() { #expect(saved[key] == JSON(number)) }
        #expect(saved["list"] == [1, 5])
    }

    @Test("A session can be released while its last change is delivered") func released() throws {
        var tokens: [Subscription] = []
        for _ in 0..<1_000 {
            let session = Session(inMemory: JSON.object([:]))
            tokens.append(Stored("count", default: 0, in: session).observe { _ in })
            try session.set("/count", to: "text")
        }
        withExtendedLifetime(tokens) {}
    }

    @Test("A pointer through a value that is no object is rejected and reported") func pointerThroughText() throws {
        @Stored("view", in: session) var view = "list"
        @Stored(at: "/view/size", in: session) var size = 3
        view = "grid"
        size = 4
        #expect(size == 3 && view == "grid")
    }

    @Test("Setting, resetting and reading work in every session: typed, in memory, constant, closed") func sessions()
        throws
    {
        struct Server: Codable, Sendable { var port = 8080 }
        let typed = try Session(Server(), at: folder.path(of: "server.json"))
        let port = Stored("port", default: 1, in: typed)
        port.value = 9090
        #expect(typed.port == 9090 && port.value == 9090)
        Stored("port", default: "", in: typed).value = "x"
        #expect(typed.port == 9090 && port.value == 9090)
        try typed.closeBlocking()
        port.value = 1
        #expect(port.value == 9090)
        let memory = Stored("port", default: 1, in: Session(inMemory: Server()))
        memory.value = 5
        #expect(memory.value == 5)
        memory.reset()
        #expect(memory.value == 1 && !memory.isSet)
        let constant = Stored("port", default: 1, in: Session(constant: Server()))
        constant.value = 5
        #expect(constant.value == 8080)
    }
}
