import FoundationEssentials
import StoredValues
import TestSupport
import Testing

/// Wrappers of values of a file.
@Suite("Property wrappers: one line per value") struct StoredTests {
    let folder: TemporaryFolder
    let session: Session<JSON>

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
