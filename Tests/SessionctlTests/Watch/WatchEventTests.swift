import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch --json")
struct WatchEventTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func watch(_ text: String) throws -> Watching {
        try folder.put("a.json", text)
        return try Watching("--json", "a.json", in: folder)
    }

    @Test("begins with the whole value, then tells what was changed, added and removed, and in which line that is")
    func changes() throws {
        let watching = try watch("{\n  // one\n  \"a\": 1.50,\n  \"b\": [1, {\"x\": null}],\n  \"c\": \"é\"\n}\n")
        #expect(try watching.event() == .initial(["a": 1.5, "b": [1, ["x": nil]], "c": "é"]))
        let before = WatchEventTests.now
        try folder.put("a.json", "{\n  \"a\": 2e3,\n  // two\n  \"b\": [1, {\"x\": {}}],\n  \"d\":\n    true\n}\n")
        let event = try watching.event()
        let expected: WatchEvent = .change(
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

    @Test("prints numbers as they are spelled")
    func spelling() throws {
        try folder.put("a.json", #"{"a": 1.50}"#)
        let watching = try Watching("--json", "a.json", in: folder)
        #expect(try watching.line() == #"{"event":"initial","version":1,"value":{"a":1.50}}"#)
        try folder.put("a.json", #"{"a": 12345678901234567890.10}"#)
        #expect(try watching.line().contains(#"[{"path":"/a","old":1.50,"new":12345678901234567890.10,"line":1}]"#))
    }

    @Test("says nothing where no value has changed")
    func sameValues() throws {
        let watching = try watch(#"{"a": 1, "b": 2}"#)
        #expect(try watching.event().name == "initial")
        try folder.put("a.json", "// the same\n{\"b\": 2.0, \"a\": 1}")
        try folder.put("a.json", "\n\n{\"b\": 2,\n\"a\": 3}")
        #expect(try watching.event().change == ["path": "/a", "old": 1, "new": 3, "line": 4])
    }

    @Test("waits for a file that is missing")
    func missing() throws {
        let watching = try Watching("--json", "a.json", in: folder)
        #expect(try watching.event() == .initial([:]))
        #expect(try watching.event() == .status("missing"))
        try folder.put("a.json", #"{"a": 1}"#)
        #expect(try watching.event() == .change(2, [["path": "/a", "new": 1, "line": 1]]))
        #expect(try watching.event() == .status("good"))
    }

    @Test("waits for a folder that is missing")
    func missingFolder() throws {
        let watching = try Watching("--json", "x/y/a.json", in: folder)
        #expect(try watching.event() == .initial([:]))
        #expect(try watching.event() == .status("missing"))
        try folder.createFolder("x/y")
        try folder.put("x/y/a.json", #"[1]"#)
        #expect(try watching.event() == .change(2, [["path": "", "old": [:], "new": [1], "line": 1]]))
        #expect(try watching.event() == .status("good"))
    }

    @Test("tells at the start what is wrong, and when it is mended")
    func invalidAtStart() throws {
        let watching = try watch("{\n  \"a\": 1\n  \"b\": 2\n}")
        #expect(try watching.event() == .initial([:]))
        let problem = try watching.event().json
        #expect(problem["code"] == "syntax" && problem["line"] == 3 && problem["column"] == 3)
        #expect(problem["message"]?.string?.hasPrefix(#"expected "," or "}""#) == true)
        try folder.put("a.json", "{\n  \"a\": 1,\n  \"b\": 2\n}")
        let changes: JSON = [["path": "/a", "new": 1, "line": 2], ["path": "/b", "new": 2, "line": 3]]
        #expect(try watching.event() == .change(2, changes))
        #expect(try watching.event() == .recovered)
        #expect(try watching.event() == .status("good"))
    }

    @Test("tells each problem once and keeps the value, whichever way it is mended")
    func invalid() throws {
        let watching = try watch(#"{"a": 1}"#)
        #expect(try watching.event() == .initial(["a": 1]))
        try folder.put("a.json", #"{"a": }"#)
        #expect(try watching.event().json["column"] == 7)
        #expect(try watching.event() == .status("invalid"))
        try folder.put("a.json", #"{"a": 1, }}"#)
        #expect(try watching.event().json["column"] == 11)
        #expect(try watching.event() == .status("invalid"))
        try folder.put("a.json", #"{"a": 1}"#)
        #expect(try watching.event() == .recovered)
        #expect(try watching.event() == .status("good"))
        try folder.put("a.json", "nothing")
        #expect(try watching.event().name == "problem")
        #expect(try watching.event() == .status("invalid"))
        try folder.remove("a.json")
        #expect(try watching.event() == .recovered)
        #expect(try watching.event() == .status("missing"))
        try folder.put("a.json", #"{"a": 2}"#)
        #expect(try watching.event() == .change(2, [["path": "/a", "old": 1, "new": 2, "line": 1]]))
        #expect(try watching.event() == .status("good"))
    }

    @Test("tells of a file that is deleted and created again")
    func deleted() throws {
        let watching = try watch(#"{"a": 1}"#)
        #expect(try watching.event() == .initial(["a": 1]))
        try folder.remove("a.json")
        #expect(try watching.event() == .status("missing"))
        try folder.put("a.json", #"{"a": 1}"#)
        #expect(try watching.event() == .status("good"))
        try folder.remove("a.json")
        #expect(try watching.event() == .status("missing"))
        try folder.put("b.json", #"{"b": 1}"#)
        try folder.rename("b.json", to: "a.json")
        let changes: JSON = [["path": "/a", "old": 1], ["path": "/b", "new": 1, "line": 1]]
        #expect(try watching.event() == .change(2, changes))
        #expect(try watching.event() == .status("good"))
    }

    @Test("a problem that is about no place has none")
    func problemWithoutPlace() throws {
        let watching = try watch(#"{"a": 1}"#)
        #expect(try watching.event().name == "initial")
        try folder.remove("a.json")
        try folder.createFolder("a.json")
        var problem = try watching.event()
        if problem == .status("missing") { problem = try watching.event() }
        #expect(problem.json["code"] == "notAFile" && problem.json["line"] == nil && problem.json["column"] == nil)
    }

    @Test("takes comments for mistakes with --strict")
    func strict() throws {
        try folder.put("a.json", "// comment\n{}")
        let watching = try Watching("--json", "--strict", "a.json", in: folder)
        #expect(try watching.event() == .initial([:]))
        #expect(try watching.event().json["code"] == "syntax")
        try folder.put("a.json", #"{"a": 1}"#)
        #expect(try watching.event().name == "change")
    }
}
