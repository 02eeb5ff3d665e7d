import LosslessJSON
import TestSupport
import Testing

/// The example programs, each with a home of its own.
@Suite("Examples of stored values") struct ExampleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ name: String, _ arguments: String...) throws -> RunningProgram {
        let environment = ["HOME": folder.path, "STATE_DIRECTORY": "", "XDG_STATE_HOME": ""]
        // A pipe gets whole blocks otherwise.
        return try Program("/usr/bin/stdbuf").start(
            ["-oL", Program.built(name).path] + arguments, in: folder, input: .lines, environment: environment)
    }

    private func file(of name: String) -> String { ".local/state/\(name)/session.json" }

    private func values(of name: String) throws -> JSON { try JSON(parsing: folder.read(file(of: name))) }

    @Test("A class of static parameters: columns hides and shows columns, also when the file is edited") func columns()
        throws
    {
        let program = try start("columns")
        #expect(try program.line() == "name        size tags")
        #expect(try program.line() == "notes.txt   1 KB work")
        try program.say("hide size")
        #expect(try program.line(with: "name") == "name         tags")
        #expect(try program.end() == Program.Result(code: 0, output: "notes.txt    work\n"))
        #expect(try values(of: "columns") == ["showSize": false])
        let next = try start("columns")
        #expect(try next.line(with: "name") == "name         tags")
        try folder.write(file(of: "columns"), #"{ "showTags": false }"#)
        #expect(try next.line(with: "size") == "name        size ")
        #expect(try next.end().code == 0)
    }

    @Test("A subclass of UserDefaults: profile keeps values of every kind, and observes one") func profile() throws {
        let program = try start("profile")
        for line in ["friend bob", "score chess", "score chess", "home https://swift.org", "birthday 2001-02-03"] {
            try program.say(line)
        }
        try program.say("name ann")
        #expect(try program.line() == "name: ann")
        try program.say("show")
        #expect(try program.line() == #"1 ann ["bob"] ["chess": 2] 0.5"#)
        #expect(try program.end() == Program.Result(code: 0))
        #expect(
            try values(of: "profile") == [
                "logins": 1, "friends": ["bob"], "scores": ["chess": 2], "homepage": "https://swift.org",
                "birthday": "2001-02-03T00:00:00Z", "name": "ann",
            ])
        let next = try start("profile")
        try next.say("show")
        #expect(try next.line() == #"2 ann ["bob"] ["chess": 2] 0.5"#)
    }

    @Test("AppStorage: ratings keeps an array, and removes an optional; an edit of the file arrives") func ratings()
        throws
    {
        let program = try start("ratings")
        try program.say("rate 2 5")
        #expect(try program.line() == "ratings: [0, 0, 5]")
        try program.say("name morning")
        try program.say("show")
        #expect(try program.line() == "[0, 0, 5] morning ")
        try program.say("name")
        try program.say("show")
        #expect(try program.line() == "[0, 0, 5] without a name ")
        #expect(try program.end() == Program.Result(code: 0))
        #expect(try folder.read(file(of: "ratings")) == "{\n  \"ratings\": [0, 0, 5]\n}\n")
        let next = try start("ratings")
        try next.say("show")
        #expect(try next.line() == "[0, 0, 5] without a name ")
        try folder.write(file(of: "ratings"), #"{ "ratings": [1] }"#)
        #expect(try next.line() == "ratings: [1]")
        try next.say("rate 1 4")
        #expect(try next.line() == "ratings: [1, 4]")
    }

    @Test("SceneStorage: two windows of exercise share ratings and keep their tabs, as scenes and as processes")
    func exercise() throws {
        let both = try start("exercise", "left", "right")
        let first = [try both.line() ?? "", try both.line() ?? ""].sorted()
        #expect(first == ["left: exercise 0, ratings []", "right: exercise 0, ratings []"])
        try both.say("left tab 2")
        #expect(try both.line(with: "exercise 2") == "left: exercise 2, ratings []")
        try both.say("left rate 5")
        let rated = [try both.line(with: "[0, 0, 5]"), try both.line(with: "[0, 0, 5]")].sorted()
        #expect(rated == ["left: exercise 2, ratings [0, 0, 5]", "right: exercise 0, ratings [0, 0, 5]"])
        eventually("the rating is saved") { (try? folder.read(file(of: "exercise")))?.contains("5") == true }
        let other = try start("exercise", "third")
        #expect(try other.line() == "third: exercise 0, ratings [0, 0, 5]")
        try other.say("third rate 1")
        #expect(try both.line(with: "right: exercise 0, ratings [1, 0, 5]") == "right: exercise 0, ratings [1, 0, 5]")
        #expect(try both.end().code == 0)
        #expect(try other.end().code == 0)
        // A restart, after an edit by hand.
        let text = try folder.read(file(of: "exercise"))
        try folder.write(file(of: "exercise"), text.replacing("\"selectedTab\": 2", with: "\"selectedTab\": 1"))
        let next = try start("exercise", "left")
        #expect(try next.line() == "left: exercise 1, ratings [1, 0, 5]")
    }

    @Test("A rating arrives in another process") func latency() throws {
        let (one, two) = (try start("exercise", "one"), try start("exercise", "two"))
        _ = (try one.line(), try two.line())
        var times: [Duration] = []
        for rating in 1...40 {
            let begin = ContinuousClock.now
            try one.say("one rate \(rating)")
            #expect(try two.line() == "two: exercise 0, ratings [\(rating)]")
            times.append(.now - begin)
        }
        times.sort()
        print(
            "a rating arrives in another process, with the pipes of this test: median \(times[20]), longest \(times[39])"
        )
    }
}
