import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch during rapid edits")
struct WatchChainTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Reads changes of one value until `last`. Each old value must equal the previous new value.
    private func follow(_ watch: WatchProcess, from first: JSON, to last: JSON) throws -> Int {
        var (value, version, count) = (first, 1, 0)
        while value != last {
            let event = try watch.event()
            // A slow writer leaves a partial file, which is reported as a problem.
            guard event.name == "change" else { continue }
            let change = try #require(event.change, "\(event)")
            // Between truncation and writing the file is empty, and may be loaded as one without the value.
            #expect((change["old"] ?? nil) == value)
            #expect(event.version > version)
            (value, version, count) = (change["new"] ?? nil, event.version, count + 1)
        }
        return count
    }

    @Test("watch reports the last of 100 rapid edits, and each old value is the previously reported one")
    func quickEdits() throws {
        try folder.put("a.json", #"{"a": 0}"#)
        let watch = try WatchProcess("--json", "a.json", in: folder)
        #expect(try watch.event() == .initial(["a": 0]))
        for number in 1...100 { try folder.write("a.json", #"{"a": \#(number)}"#) }
        #expect(try follow(watch, from: 0, to: 100) <= 100)
        try folder.put("a.json", #"{"a": -1}"#)
        var event = try watch.event()
        while event.name != "change" { event = try watch.event() }  // recovery from a partial file
        #expect(event.change == ["path": "/a", "old": 100, "new": -1, "line": 1])
    }

    @Test("watch reports the last of rapid edits of several files in whole lines", arguments: [true, false])
    func severalFiles(isRead: Bool) throws {
        let (names, last) = ((0..<4).map { "\($0).json" }, 50)
        for name in names { try folder.put(name, #"{"a": 0}"#) }
        let watch = try WatchProcess(["--json"] + names, in: folder)
        for _ in names { #expect(try JSON(parsing: watch.line())["event"] == "initial") }
        // Long lines fill the pipe, so that a thread waits in the middle of one until it is read.
        let text = String(repeating: "x", count: isRead ? 10 : 20_000)
        let editor = TestThread { [folder] in
            for number in 1...last {
                for name in names {
                    #expect(throws: Never.self) {
                        try folder.put(name, #"{"a": \#(number), "b": "\#(number)\#(text)"}"#)
                    }
                }
            }
        }
        if !isRead { editor.join() }
        defer { if isRead { editor.join() } }
        var values = [JSON](repeating: 0, count: names.count)
        while values.contains(where: { $0 != JSON(last) }) {
            let event = try JSON(parsing: watch.line())
            guard event["event"] == "change" else { continue }
            let index = try #require(names.firstIndex { event["file"] == JSON($0) })
            let change = try #require(event["changes"]?.array?.first { $0["path"] == "/a" })
            #expect(change["old"] == values[index])
            values[index] = try #require(change["new"])
        }
    }

    @Test("watch skips versions while its output is not read, and then reports the newest")
    func slowReader() throws {
        func text(_ number: Int) -> String { "\(number) " + String(repeating: "x", count: 50_000) }
        func write(_ number: Int) throws { try folder.put("a.json", #"{"a": "\#(text(number))"}"#) }
        try write(0)
        let watch = try WatchProcess("--json", "a.json", in: folder)
        #expect(try watch.event() == .initial(["a": JSON(text(0))]))
        for number in 1...60 {
            try write(number)
            // Waits until a second process has loaded the version, which shows that there was time to load it.
            try #require(try folder.sessionctl("watch", "a.json", "--until", "a=\"\(text(number))\"").code == 0)
        }
        #expect(try follow(watch, from: JSON(text(0)), to: JSON(text(60))) < 60)
    }

    @Test("watch reports 20,000 changes of one version, each with its line")
    func manyChanges() throws {
        // The thread sanitizer makes each change many times as slow.
        let count = Sanitizer.findsRaces ? 2_000 : 20_000
        func text(_ base: Int) -> String {
            "{\n" + (0..<count).map { "  \"key \($0)\": \(base + $0)" }.joined(separator: ",\n") + "\n}\n"
        }
        try folder.put("a.json", text(0))
        let watch = try WatchProcess("--json", "a.json", in: folder)
        #expect(try watch.event().name == "initial")
        try folder.put("a.json", text(1))
        let changes = try #require(try watch.event().json["changes"]?.array)
        #expect(changes.count == count)
        #expect(
            changes.last == [
                "path": .init("/key \(count - 1)"), "old": .init(count - 1), "new": .init(count),
                "line": .init(count + 1),
            ])
    }
}
