import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch and edits that come fast")
struct WatchChainTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Reads changes of one value until `last` is there: each begins where the one before ended.
    private func follow(_ watching: Watching, from first: JSON, to last: JSON) throws -> Int {
        var (value, version, count) = (first, 1, 0)
        while value != last {
            let event = try watching.event()
            // A writer who is held up for long leaves half a file.
            guard event.name == "change" else { continue }
            let change = try #require(event.change, "\(event)")
            #expect(change["old"] == value)
            #expect(event.version > version)
            (value, version, count) = (change["new"] ?? nil, event.version, count + 1)
        }
        return count
    }

    @Test("of 100 quick edits the last one arrives, and no change has an old value that was not shown")
    func quickEdits() throws {
        try folder.put("a.json", #"{"a": 0}"#)
        let watching = try Watching("--json", "a.json", in: folder)
        #expect(try watching.event() == .initial(["a": 0]))
        for number in 1...100 { try folder.write("a.json", #"{"a": \#(number)}"#) }
        #expect(try follow(watching, from: 0, to: 100) <= 100)
        try folder.put("a.json", #"{"a": -1}"#)
        var event = try watching.event()
        while event.name != "change" { event = try watching.event() }  // that half a file was made good
        #expect(event.change == ["path": "/a", "old": 100, "new": -1, "line": 1])
    }

    @Test("while nobody reads, versions are skipped, and the newest is there afterwards")
    func slowReader() throws {
        func text(_ number: Int) -> String { "\(number) " + String(repeating: "x", count: 50_000) }
        func write(_ number: Int) throws { try folder.put("a.json", #"{"a": "\#(text(number))"}"#) }
        try write(0)
        let watching = try Watching("--json", "a.json", in: folder)
        #expect(try watching.event() == .initial(["a": JSON(text(0))]))
        for number in 1...60 {
            try write(number)
            // Another one sees it, so that it is not skipped because it was never read.
            try #require(try folder.sessionctl("watch", "a.json", "--until", "a=\"\(text(number))\"").code == 0)
        }
        #expect(try follow(watching, from: JSON(text(0)), to: JSON(text(60))) < 60)
    }

    @Test("many changes of a large file come in a moment, each with its line")
    func manyChanges() throws {
        let count = 20_000
        func text(_ base: Int) -> String {
            "{\n" + (0..<count).map { "  \"key \($0)\": \(base + $0)" }.joined(separator: ",\n") + "\n}\n"
        }
        try folder.put("a.json", text(0))
        let watching = try Watching("--json", "a.json", in: folder)
        #expect(try watching.event().name == "initial")
        try folder.put("a.json", text(1))
        let changes = try #require(try watching.event().json["changes"]?.array)
        #expect(changes.count == count)
        #expect(changes.last == ["path": "/key 19999", "old": 19999, "new": 20000, "line": 20001])
    }
}
