import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch --json")
struct WatchEventTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func startWatch(_ text: String) throws -> WatchProcess {
        try folder.put("a.json", text)
        return try WatchProcess("--json", "a.json", in: folder)
    }

    @Test("watch --json prints the initial value, then changed, added and removed values with their lines")
    func changes() throws {
        let watch = try startWatch("{\n  // one\n  \"a\": 1.50,\n  \"b\": [1, {\"x\": null}],\n  \"c\": \"é\"\n}\n")
        #expect(try watch.event() == .initial(["a": 1.5, "b": [1, ["x": nil]], "c": "é"]))
        let before = WatchEventTests.now
        try folder.put("a.json", "{\n  \"a\": 2e3,\n  // two\n  \"b\": [1, {\"x\": {}}],\n  \"d\":\n    true\n}\n")
        let event = try watch.event()
        let expected: JSONLine = .change(
            2,
            [
                ["path": "/a", "old": 1.5, "new": 2000, "line": 2],
                ["path": "/b/1/x", "old": nil, "new": [:], "line": 4],
                ["path": "/c", "old": "é"],
                ["path": "/d", "new": true, "line": 6],
            ])
        #expect(event.name == "change")
        #expect(Set(event.json["changes"]!.array!) == Set(expected.json["changes"]!.array!))
        let time = try #require(event.time)
        #expect(before <= time && time <= WatchEventTests.now)
    }

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test("watch --json prints numbers with their spelling")
    func spelling() throws {
        try folder.put("a.json", #"{"a": 1.50}"#)
        let watch = try WatchProcess("--json", "a.json", in: folder)
        #expect(try watch.line() == #"{"event":"initial","version":1,"value":{"a":1.50}}"#)
        try folder.put("a.json", #"{"a": 12345678901234567890.10}"#)
        #expect(try watch.line().contains(#"[{"path":"/a","old":1.50,"new":12345678901234567890.10,"line":1}]"#))
    }

    @Test("watch --json prints nothing if only layout, comments, order or spelling changed")
    func sameValues() throws {
        let watch = try startWatch(#"{"a": 1, "b": 2}"#)
        #expect(try watch.event().name == "initial")
        try folder.put("a.json", "// the same\n{\"b\": 2.0, \"a\": 1}")
        try folder.put("a.json", "\n\n{\"b\": 2,\n\"a\": 3}")
        #expect(try watch.event().change == ["path": "/a", "old": 1, "new": 3, "line": 4])
    }

    @Test("watch --json waits for a missing file")
    func missing() throws {
        let watch = try WatchProcess("--json", "a.json", in: folder)
        #expect(try watch.event() == .initial([:]))
        #expect(try watch.event() == .status("missing"))
        try folder.put("a.json", #"{"a": 1}"#)
        #expect(try watch.event() == .change(2, [["path": "/a", "new": 1, "line": 1]]))
        #expect(try watch.event() == .status("good"))
    }

    @Test("watch --json waits for a missing directory")
    func missingFolder() throws {
        let watch = try WatchProcess("--json", "x/y/a.json", in: folder)
        #expect(try watch.event() == .initial([:]))
        #expect(try watch.event() == .status("missing"))
        try folder.createFolder("x/y")
        try folder.put("x/y/a.json", #"[1]"#)
        #expect(try watch.event() == .change(2, [["path": "", "old": [:], "new": [1], "line": 1]]))
        #expect(try watch.event() == .status("good"))
    }

    @Test("watch --json reports an invalid file at the start and its recovery")
    func invalidAtStart() throws {
        let watch = try startWatch("{\n  \"a\": 1\n  \"b\": 2\n}")
        #expect(try watch.event() == .initial([:]))
        let problem = try watch.event().json
        #expect(problem["code"] == "syntax" && problem["line"] == 3 && problem["column"] == 3)
        #expect(problem["message"]?.string?.hasPrefix(#"expected "," or "}""#) == true)
        try folder.put("a.json", "{\n  \"a\": 1,\n  \"b\": 2\n}")
        let changes: JSON = [["path": "/a", "new": 1, "line": 2], ["path": "/b", "new": 2, "line": 3]]
        #expect(try watch.event() == .change(2, changes))
        #expect(try watch.event() == .recovered)
        #expect(try watch.event() == .status("good"))
    }

    @Test("watch --json reports each problem once, keeps the value, and reports each kind of recovery")
    func invalid() throws {
        let watch = try startWatch(#"{"a": 1}"#)
        #expect(try watch.event() == .initial(["a": 1]))
        try folder.put("a.json", #"{"a": }"#)
        #expect(try watch.event().json["column"] == 7)
        #expect(try watch.event() == .status("invalid"))
        try folder.put("a.json", #"{"a": 1, }}"#)
        #expect(try watch.event().json["column"] == 11)
        #expect(try watch.event() == .status("invalid"))
        try folder.put("a.json", #"{"a": 1}"#)
        #expect(try watch.event() == .recovered)
        #expect(try watch.event() == .status("good"))
        try folder.put("a.json", "nothing")
        #expect(try watch.event().name == "problem")
        #expect(try watch.event() == .status("invalid"))
        try folder.remove("a.json")
        #expect(try watch.event() == .recovered)
        #expect(try watch.event() == .status("missing"))
        try folder.put("a.json", #"{"a": 2}"#)
        #expect(try watch.event() == .change(2, [["path": "/a", "old": 1, "new": 2, "line": 1]]))
        #expect(try watch.event() == .status("good"))
    }

    @Test("watch --json reports that a file is deleted and created again")
    func deleted() throws {
        let watch = try startWatch(#"{"a": 1}"#)
        #expect(try watch.event() == .initial(["a": 1]))
        try folder.remove("a.json")
        #expect(try watch.event() == .status("missing"))
        try folder.put("a.json", #"{"a": 1}"#)
        #expect(try watch.event() == .status("good"))
        try folder.remove("a.json")
        #expect(try watch.event() == .status("missing"))
        try folder.put("b.json", #"{"b": 1}"#)
        try folder.rename("b.json", to: "a.json")
        let changes: JSON = [["path": "/a", "old": 1], ["path": "/b", "new": 1, "line": 1]]
        #expect(try watch.event() == .change(2, changes))
        #expect(try watch.event() == .status("good"))
    }

    @Test("A problem without a location has no line and column")
    func problemWithoutLocation() throws {
        let watch = try startWatch(#"{"a": 1}"#)
        #expect(try watch.event().name == "initial")
        try folder.remove("a.json")
        try folder.createFolder("a.json")
        var problem = try watch.event()
        if problem == .status("missing") { problem = try watch.event() }
        #expect(problem.json["code"] == "notAFile" && problem.json["line"] == nil && problem.json["column"] == nil)
    }

    @Test("watch --json --strict reports comments as errors")
    func strict() throws {
        try folder.put("a.json", "// comment\n{}")
        let watch = try WatchProcess("--json", "--strict", "a.json", in: folder)
        #expect(try watch.event() == .initial([:]))
        #expect(try watch.event().json["code"] == "syntax")
        try folder.put("a.json", #"{"a": 1}"#)
        #expect(try watch.event().name == "change")
    }
}
