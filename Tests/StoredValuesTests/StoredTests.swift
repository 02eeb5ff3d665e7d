import FoundationEssentials
import StoredValues
import Synchronization
import TestSupport
import Testing

/// Wrappers of values of a file.
@Suite("Property wrappers: one line per value") struct StoredTests {
    private let folder: TemporaryFolder
    private let session: Session<JSON>

    init() throws {
        folder = try TemporaryFolder()
        var options = SessionOptions()
        // The tests edit the file at once after it was saved, as no person does.
        options.staleWriteWindow = .zero
        session = try Session(JSON.object([:]), at: folder.path(of: "values.json"), options: options)
    }

    private enum Side: String, Codable { case left, right }

    private struct Limits: Codable, Sendable, Equatable {
        var burst = 10
        var rate = 2.5
    }

    @Test("Every Codable value is kept as it is, and a key is in the file only after it was set") func types() throws {
        @Stored("name", in: session) var name = "ann"
        @Stored("count", in: session) var count = 1
        @Stored("ratio", in: session) var ratio = 0.5
        @Stored("isOn", in: session) var isOn = false
        @Stored("bytes", in: session) var bytes = Data()
        @Stored("home", in: session) var home = URL(string: "https://example.org")!
        @Stored("side", in: session) var side = Side.left
        @Stored("ratings", in: session) var ratings: [Int] = []
        @Stored("ages", in: session) var ages: [String: Int] = [:]
        @Stored("limits", in: session) var limits = Limits()
        @Stored(at: "/view/pause", in: session) var pause = Duration.seconds(1)
        #expect(try folder.names() == [])
        #expect(name == "ann" && count == 1 && ratings == [] && limits == Limits() && pause == .seconds(1))
        (name, count, ratio, isOn, bytes) = ("bob", 2, 1.5, true, Data([1, 2, 255]))
        (home, side, ratings, ages) = (URL(string: "https://swift.org")!, .right, [4, 0, 0, 0], ["ann": 7])
        limits.burst = 20
        pause = .milliseconds(250)
        #expect(name == "bob" && side == .right && ratings == [4, 0, 0, 0] && limits.burst == 20)
        try session.closeBlocking()
        let expected = #"""
            {
              "name": "bob",
              "count": 2,
              "ratio": 1.5,
              "isOn": true,
              "bytes": "AQL/",
              "home": "https://swift.org",
              "side": "right",
              "ratings": [4, 0, 0, 0],
              "ages": { "ann": 7 },
              "limits": { "burst": 20, "rate": 2.5 },
              "view": { "pause": "250ms" }
            }

            """#
        #expect(try JSON(parsing: folder.read("values.json")) == JSON(parsing: expected))
        let next = try Session(JSON.object([:]), at: folder.path(of: "values.json"))
        #expect(Stored("bytes", default: Data(), in: next).value == Data([1, 2, 255]))
        #expect(Stored("home", default: home, in: next).value.absoluteString == "https://swift.org")
        #expect(Stored("limits", default: Limits(), in: next).value == Limits(burst: 20))
    }

    @Test("An edit of the file is there at the next read; members that it leaves out have those of the default")
    func edit() throws {
        let limits = Stored("limits", default: Limits(), in: session)
        let ratings = Stored("ratings", default: [Int](), in: session)
        try folder.write("values.json", #"{ "limits": { "burst": 3 }, "ratings": [1, 2] }"#)
        eventually("the edit arrives") { limits.value == Limits(burst: 3) && ratings.value == [1, 2] }
        #expect(limits.isSet && ratings.read { $0.count } == 2)
        limits.value.rate = 4
        try session.flushBlocking()
        #expect(
            try folder.read("values.json") == #"{ "limits": { "burst": 3, "rate": 4.0 }, "ratings": [1, 2] }"#)
    }

    @Test("nil removes the key, reset restores the default, and so does an edit that removes the key") func removing()
        throws
    {
        @Stored("nickname", in: session) var nickname: String?
        @Stored("count", in: session) var count = 5
        #expect(nickname == nil && !$nickname.isSet)
        (nickname, count) = ("bo", 6)
        #expect(nickname == "bo" && $nickname.isSet && $count.isSet)
        nickname = nil
        $count.reset()
        $count.reset()
        let problems = Received<SessionProblem>()
        let token = session.mirror.observe { report in if case .problem(let problem) = report { problems.add(problem) }
        }
        $nickname.reset()
        #expect(nickname == nil && !$nickname.isSet && count == 5 && !$count.isSet)
        count = 7
        try session.flushBlocking()
        #expect(try folder.read("values.json") == "{\n  \"count\": 7\n}\n")
        try folder.write("values.json", #"{ "nickname": null }"#)
        eventually("the key is removed") { count == 5 }
        #expect(nickname == nil && !$nickname.isSet && $nickname.problem == nil)
        #expect(problems.items == [])
        withExtendedLifetime(token) {}
    }

    @Test("A rating is set in an array that an edit of the file has shortened") func shortened() throws {
        let ratings = Stored("ratings", default: [Int](), in: session)
        func tap(_ exercise: Int, _ rating: Int) {
            ratings.update { all in
                while all.count <= exercise { all.append(0) }
                all[exercise] = rating
            }
        }
        tap(9, 4)
        try session.flushBlocking()
        try folder.write("values.json", #"{ "ratings": [3] }"#)
        eventually("the edit arrives") { ratings.value == [3] }
        tap(2, 5)
        #expect(ratings.value == [3, 0, 5])
    }

    @Test("Updates of several threads add up, and the result and the error of a change pass through") func updates()
        async throws
    {
        let count = Stored("count", default: 0, in: session)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<500 { count.update { $0 += 1 } } }
            }
        }
        #expect(count.value == 2_000)
        #expect(count.update { $0 * 2 } == 4_000)
        struct Rejection: Error {}
        #expect(throws: Rejection.self) { try count.update { _ in throw Rejection() } }
        #expect(count.value == 2_000)
    }
}

// Values that cannot be used.
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

    @Test("A value of the wrong type is a warning also if another value changes at once") func hastyChange() throws {
        for number in 0..<50 {
            let key = "key \(number)"
            try session.set(JSONPointer([key]), to: "text")
            #expect(Stored(key, default: 1, in: session).value == 1)
            try session.set("/other", to: JSON(number))
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

// What it costs, and observing.
extension StoredTests {
    @Test("Ten thousand wrappers of a key cost one decoding for each change, none for their own and for other keys")
    func decodings() throws {
        let wrappers = (0..<10_000).map { _ in Stored("counted", default: Counted(), in: session) }
        let other = Stored("other", default: 0, in: session)
        let before = Counted.decodings.withLock { $0 }
        for number in 1...3 {
            try session.set("/counted/number", to: JSON(number))
            #expect(wrappers.allSatisfy { $0.value.number == number })
            other.value = number
            #expect(wrappers.allSatisfy { $0.value.number == number })
            wrappers[number].value = Counted(number: -number)
            #expect(wrappers.allSatisfy { $0.value.number == -number })
        }
        #expect(Counted.decodings.withLock { $0 } == before + 3)
    }

    private struct Counted: Codable, Sendable {
        static let decodings = Mutex(0)
        var number = 0

        init(number: Int = 0) { self.number = number }

        init(from decoder: any Decoder) throws {
            Self.decodings.withLock { $0 += 1 }
            number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
        }
    }

    @Test("Ten thousand keys are set, read and saved") func manyKeys() throws {
        let values = (0..<10_000).map { Stored("key \($0)", default: -1, in: session) }
        for (number, value) in values.enumerated() { value.value = number }
        #expect(values.enumerated().allSatisfy { $1.value == $0 })
        try session.closeBlocking()
        let saved = try JSON(parsing: folder.read("values.json"))
        #expect(saved.object?.count == values.count)
        #expect(values.indices.allSatisfy { saved["key \($0)"] == JSON($0) })
    }

    @Test("Setting changes one member of the tree and shares the others") func sharing() throws {
        try folder.write("values.json", #"{ "count": 1, "big": [[1, 2, 3], [4, 5, 6]] }"#)
        session.mirror.reload()
        let count = Stored("count", default: 0, in: session)
        eventually("the file is loaded") { count.value == 1 }
        let big = try #require(session["big"])
        count.value = 2
        #expect(session["big"]!.isIdentical(to: big))
    }

    @Test("Subscribers and sequences get each change, and no default while the file's value cannot be used")
    func observing() async throws {
        let count = Stored("count", default: 1, in: session)
        let changes = Received<Change<Int>>()
        let token = count.observe(initial: true) { changes.add($0) }
        await eventually("the first change arrives") { changes.items.map(\.new) == [1] }
        count.value = 2
        await eventually("the assignment arrives") { changes.items.map(\.new) == [1, 2] }
        try await session.flush()
        for text in [#"{ "count": "x" }"#, #"{ "count": 3 }"#, "{}"] {
            try folder.write("values.json", text)
            await eventually("the edit is loaded") { session.snapshot.json == (try? JSON(parsing: text)) }
        }
        await eventually("the edits arrive") { changes.items.last?.new == 1 }
        #expect([[1, 2, 3, 1], [1, 2, 1]].contains(changes.items.map(\.new)))
        #expect(changes.items.map(\.origin).suffix(1) == [.external])
        var values = count.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        var newValues = count.changes.makeAsyncIterator()
        count.value = 8
        #expect(await values.next() == 8)
        #expect(await newValues.next()?.new == 8)
        withExtendedLifetime(token) {}
    }
}

/// Where wrappers may be declared: compiled in Swift 6 mode without a warning.
@Suite("Places of property wrappers") struct StoredPlacesTests {
    private static let session = Session(inMemory: JSON.object([:]))

    private struct Settings: Sendable {
        @Stored("count", in: StoredPlacesTests.session) var count = 0
        @Stored("name", in: StoredPlacesTests.session) var name: String?
    }

    private actor Counter {
        @Stored("actor", in: StoredPlacesTests.session) var count = 0
        func increment() { count += 1 }
    }

    @MainActor private final class Model {
        @Stored("model", in: StoredPlacesTests.session) var count = 0
    }

    private final class Service: Sendable {
        let settings = Settings()
        let ratings = Stored("ratings", default: [Int](), in: StoredPlacesTests.session)
    }

    private static let shared = Settings()

    @Test("Structures, actors, classes of an actor, and a let of a Sendable class or a type") func places() async {
        let counter = Counter()
        await counter.increment()
        #expect(await counter.count == 1)
        await MainActor.run {
            let model = Model()
            model.count += 1
            #expect(model.count == 1)
        }
        let service = Service()
        service.settings.count += 1
        service.ratings.value.append(4)
        Self.shared.name = "ann"
        #expect(Self.shared.count == 1 && service.ratings.value == [4] && service.settings.name == "ann")
        await Task.detached { service.settings.count += 1 }.value
        #expect(Self.shared.count == 2 && service.settings.$count == Self.shared.$count)
    }
}
