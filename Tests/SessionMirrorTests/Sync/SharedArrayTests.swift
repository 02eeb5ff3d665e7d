import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Arrays that several sessions change") struct SharedArrayTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "file.json")
    }

    /// A session that saves and loads when told to.
    private func session(_ arrays: JSONArrayRules) throws -> Session<JSON> {
        var options = SessionOptions()
        (options.savingDelay, options.savingLimit) = (.seconds(1_000), .seconds(1_000))
        options.watching = .off
        options.arrays = arrays
        return try Session(JSON.object([:]), at: path, options: options)
    }

    private func append(_ element: JSON, to session: Session<JSON>) throws {
        try session.update { root in
            var list = root["list"]?.array ?? []
            list.append(element)
            root["list"] = .array(list)
        }
    }

    struct Example: Sendable {
        let merging: JSONArrayMerging
        let elements: [JSON]
    }

    static let examples: [Example] = [
        Example(merging: .union, elements: [1, "a", "b", "c", "d"]),
        Example(merging: .append, elements: [1, "a", "b", "a", "b"]),
        Example(merging: .byIdentity("id"), elements: (0..<5).map { ["id": JSON($0)] }),
    ]

    @Test("What two sessions append between saves is in the file and in both sessions", arguments: examples)
    func bothAppend(example: Example) throws {
        let elements = example.elements
        func expect(_ count: Int) throws {
            let text = try folder.read("file.json")
            #expect(try JSON(parsing: text)["list"] == .array(JSONArray(elements[..<count])))
            #expect(text.hasSuffix(" } // shared\n"))
        }
        try folder.write("file.json", "{ \"list\": [\(elements[0])] } // shared\n")
        let first = try session(["list": example.merging])
        let second = try session(["list": example.merging])
        try append(elements[1], to: first)
        try append(elements[2], to: second)
        try first.flushBlocking()
        try second.flushBlocking()
        try expect(3)

        try first.commitBlocking { _ in }
        try append(elements[3], to: second)
        try append(elements[4], to: first)
        try second.flushBlocking()
        try first.flushBlocking()
        try expect(5)
        try second.commitBlocking { _ in }
        for session in [first, second] {
            #expect(session.snapshot.json["list"] == .array(JSONArray(elements)))
            #expect(session.mirror.metrics.conflicts == 0)
            try session.closeBlocking()
        }
    }

    @Test("Elements that two sessions put into an array that the file did not have are merged", arguments: examples)
    func newArray(example: Example) throws {
        try folder.write("file.json", "{}")
        let first = try session(["list": example.merging])
        let second = try session(["list": example.merging])
        try append(example.elements[1], to: first)
        try append(example.elements[2], to: second)
        try first.flushBlocking()
        try second.flushBlocking()
        #expect(try JSON(parsing: folder.read("file.json"))["list"] == .array(JSONArray(example.elements[1...2])))
        for session in [first, second] { try session.closeBlocking() }
    }

    @Test("Elements that two sessions append to the default of an array are merged, and the default is not repeated")
    func defaults() throws {
        try folder.write("file.json", "{}")
        var options = SessionOptions()
        options.savingDelay = .seconds(1_000)
        options.watching = .off
        options.arrays = ["limits.names": .append]
        let first = try Session(Server(), at: path, options: options)
        let second = try Session(Server(), at: path, options: options)
        try first.update { $0.limits.names.append("c") }
        try second.update { $0.limits.names.append("d") }
        try first.flushBlocking()
        try second.closeBlocking()
        try first.closeBlocking()
        #expect(try JSON(parsing: folder.read("file.json")) == ["limits": ["names": ["a", "b", "c", "d"]]])
    }

    @Test("Without a rule the array is a conflict, and the file's array is kept") func whole() throws {
        try folder.write("file.json", #"{"list": [1]}"#)
        let first = try session([:])
        let second = try session(["other": .union])
        let problems = Received<SessionProblem>()
        let token = second.mirror.observe { if case .problem(let problem) = $0 { problems.add(problem) } }
        try append(2, to: first)
        try append(3, to: second)
        try first.flushBlocking()
        try second.flushBlocking()
        #expect(try folder.read("file.json") == #"{"list": [1, 2]}"#)
        eventually("the conflict is reported") { !problems.items.isEmpty }
        #expect(
            problems.items.map(\.code.values)
                == [JSONConflict(path: "list", base: [1], ours: [1, 3], theirs: [1, 2])])
        token.cancel()
        for session in [first, second] { try session.closeBlocking() }
    }

    @Test("What two processes add to arrays is in the file, in order, and in both processes") func processes() throws {
        try folder.write("file.json", "{}")
        let count = 30
        let probe = Program.built("SaveProbe")
        let running = try ["x", "y"].map { name in
            try probe.start(["append", path, name, "\(count)"], in: folder, input: .lines)
        }
        for process in running { #expect(try process.line() == "saved") }
        for process in running { try process.say("all have saved") }
        for process in running {
            let all = 2 * count
            #expect(try process.end() == Program.Result(code: 0, output: "[\(all), \(all), \(all)], 0 conflicts\n"))
        }
        let value = try JSON(parsing: folder.read("file.json"))
        let lists = [
            value["peers"]?.array?.compactMap(\.string), value["log"]?.array?.compactMap(\.string),
            value["servers"]?.array?.compactMap { $0["id"]?.string },
        ]
        for list in lists {
            for name in ["x", "y"] {
                #expect(list?.filter { $0.hasPrefix(name) } == (0..<count).map { "\(name)_\($0)" })
            }
        }
    }
}
