import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Saving changes of the program") struct SavingTests {
    let folder: TemporaryFolder
    let path: String
    var options = SessionOptions()

    private static let text = """
        // the server of the town hall
        {
          "port": 1, // not 80
          "extra": [1, 2],
          "limits": { "names": ["x"] } // two at most
        }

        """

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
        options.savingDelay = .milliseconds(5)
    }

    private func session(
        _ change: (inout SessionOptions) -> Void = { _ in }
    ) throws -> Session<Server> {
        var options = options
        change(&options)
        return try Session(Server(), at: path, options: options)
    }

    private func text() throws -> String { try folder.read("server.json") }

    @Test("An update is visible at once and written soon, with no other change to the file") func update() throws {
        try folder.write("server.json", Self.text)
        let session = try session()
        try session.update { $0.port = 9090 }
        #expect(session.port == 9090)
        #expect(session.snapshot.origin == .update)
        #expect(session.snapshot.json["port"] == 9090)
        let expected = Self.text.replacingFirst("1,", with: "9090,")
        eventually("the update is in the file") { (try? text()) == expected }
        eventually("the status is clean") { session.mirror.status.saving == .clean }
        #expect(session.mirror.metrics.saves == 1)
        #expect(session.mirror.metrics.reloads == 0)
        #expect(session.mirror.lastSave?.method == .exchanged && session.mirror.lastSave?.contents == nil)
        #expect(session.snapshot.location(of: "/port")?.line == 3)
    }

    @Test("A save does not add unchanged keys that the file leaves out") func sparse() throws {
        try folder.write("server.json", "{}\n")
        let session = try session()
        try session.update { $0.limits.burst = 7 }
        try session.closeBlocking()
        #expect(try JSON(parsing: text()) == ["limits": ["burst": 7]])
    }

    @Test("A missing file is created with the changed keys, or with all keys if the options say so") func created()
        throws
    {
        let session = try session()
        try session.update { $0.port = 2 }
        try session.flushBlocking()
        #expect(try text() == "{\n  \"port\": 2\n}\n")
        #expect(session.mirror.status == MirrorStatus(watching: .live, content: .good))

        var options = options
        options.newFile = .allKeys
        let whole = try Session(Server(), at: folder.path(of: "whole.json"), options: options)
        try whole.commitBlocking { $0.port = 2 }
        let expected: JSON = [
            "port": 2, "greeting": "hello", "limits": ["burst": 5, "names": ["a", "b"]],
        ]
        #expect(try JSON(parsing: folder.read("whole.json")) == expected)
        try whole.commitBlocking { $0.port = 3 }
        #expect(try JSON(parsing: folder.read("whole.json"))["greeting"] == "hello")
    }

    @Test("A deleted file is created again from its last text, including comments") func deleted() throws {
        try folder.write("server.json", Self.text)
        let session = try session()
        try folder.remove("server.json")
        eventually("the file is reported missing") { session.mirror.status.content == .missing }
        #expect(session.port == 1)
        try session.update { $0.port = 5 }
        try session.flushBlocking()
        #expect(try text() == Self.text.replacingFirst("1,", with: "5,"))
    }

    @Test("An edit and a concurrent update are both in the file and in memory") func merged() throws {
        try folder.write("server.json", Self.text)
        let session = try session()
        try session.update { $0.port = 9 }
        try folder.write("server.json", Self.text.replacingFirst("[1, 2]", with: "[3]"))
        eventually("the update is in the file") { (try? JSON(parsing: text()))?["port"] == 9 }
        eventually("the edit is in memory") { session.snapshot.json["extra"] == [3] }
        #expect(try text() == Self.text.replacingFirst("[1, 2]", with: "[3]").replacingFirst("1,", with: "9,"))
        #expect(session.port == 9)
    }

    @Test("A commit is in the file when it returns") func commit() async throws {
        try folder.write("server.json", Self.text)
        let session = try session()
        let port = try await session.commit { server in
            server.port += 1
            return server.port
        }
        #expect(port == 2)
        #expect(session.port == 2)
        #expect(try text() == Self.text.replacingFirst("1,", with: "2,"))
        try session.commitBlocking { $0.port += 1 }
        #expect(try text() == Self.text.replacingFirst("1,", with: "3,"))
        #expect(session.mirror.metrics.saves == 2)
    }

    @Test("After commits of a tree, the next version and the file's tree share all members but those that it changes")
    func sharing() throws {
        let keys = (0..<100).map { "key \($0)" }
        let session = try Session(JSON.object(JSONObject(keys.map { ($0, ["count": 0]) })), at: path, options: options)
        for key in keys { try session.commitBlocking { $0[key] = ["count": 1] } }
        let file = try #require(session.snapshot.storage.document?.value)
        try session.update { $0["key 7"] = ["count": 2] }
        let next = session.snapshot.value
        let apart = try keys.filter { key in
            let (new, old) = (try #require(next[key]), try #require(file[key]))
            return !new.isIdentical(to: old)
        }
        #expect(apart == ["key 7"])
    }

    @Test("A commit whose closure throws changes nothing") func failedCommit() throws {
        struct No: Error {}
        try folder.write("server.json", Self.text)
        let session = try session()
        #expect(throws: No.self) {
            try session.commitBlocking { server in
                server.port = 7
                throw No()
            }
        }
        #expect(session.port == 1)
        try session.closeBlocking()
        #expect(try text() == Self.text)
    }

    @Test("A value that the check rejects is neither updated, committed nor set") func refused() throws {
        let session = try Session(Server(), at: path, options: options) { server in
            if server.port < 1 { throw ValidationError("must be 1 or more", at: "port") }
        }
        #expect(throws: ValidationError.self) { try session.update { $0.port = 0 } }
        #expect(throws: ValidationError.self) { try session.commitBlocking { $0.port = 0 } }
        #expect(throws: (any Error).self) { try session.set("/port", to: 0) }
        #expect(session.port == 8080)
    }

    @Test("A value is set by its pointer, even at a key unknown to the type") func set() throws {
        try folder.write("server.json", Self.text)
        let session = try session()
        try session.set("/limits/burst", to: 6)
        try session.set("/notes/today", to: "rain")
        try session.set("/extra", to: nil)
        #expect(session.limits.burst == 6)
        try session.update { $0.port = 3 }
        try session.closeBlocking()
        let expected: JSON = ["port": 3, "limits": ["names": ["x"], "burst": 6], "notes": ["today": "rain"]]
        #expect(try JSON(parsing: text()) == expected)
    }

    @Test("An invalid file is not overwritten, and pending changes are saved after its repair") func invalid() throws {
        try folder.write("server.json", Self.text)
        let session = try session()
        try folder.write("server.json", "{ \"port\": ")
        eventually("the invalid file is reported") { session.mirror.status.content != .good }
        try session.update { $0.greeting = "hi" }
        #expect(session.mirror.status.saving == .blocked)
        #expect { try session.flushBlocking() } throws: { ($0 as? SessionProblem)?.code == .syntax }
        #expect { try session.commitBlocking { $0.port += 1 } } throws: { ($0 as? SessionProblem)?.code == .syntax }
        #expect { try session.closeBlocking() } throws: { ($0 as? SessionProblem)?.code == .syntax }
        #expect(try text() == "{ \"port\": ")
        try folder.write("server.json", Self.text.replacingFirst("1,", with: "4,"))
        eventually("the pending change is saved") { (try? JSON(parsing: text()))?["greeting"] == "hi" }
        #expect(session.port == 4)
        try session.closeBlocking()
    }

    @Test("A conflict is resolved in favor of the file by default and reported with its three values") func conflict()
        throws
    {
        try folder.write("server.json", Self.text)
        let session = try session { ($0.savingDelay, $0.savingLimit) = (.seconds(60), .seconds(60)) }
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        try session.update { $0.port = 9 }
        try folder.write("server.json", Self.text.replacingFirst("1,", with: "7,"))
        eventually("the file's value is in memory") { session.port == 7 }
        eventually("the conflict is reported") { reports.items.contains { $0.problem?.code.name == "conflict" } }
        let values = reports.items.compactMap(\.problem).last?.code.values
        #expect(values == JSONConflict(path: "/port", base: 1, ours: 9, theirs: 7))
        withExtendedLifetime(token) {}
    }

    @Test("A stale write is restored the first time, accepted the second time, and reported both times") func stale()
        throws
    {
        try folder.write("server.json", Self.text)
        let session = try session { $0.staleWriteWindow = .seconds(60) }
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        try session.commitBlocking { $0.port = 9 }
        try folder.write("server.json", Self.text)
        eventually("the value is restored") { (try? JSON(parsing: text()))?["port"] == 9 }
        eventually("the restoration is reported") { reports.items.contains { $0.problem?.code.name == "restored" } }
        #expect(session.port == 9)
        try folder.write("server.json", Self.text)
        eventually("the revert is accepted") { session.port == 1 }
        eventually("the revert is reported") { reports.items.contains { $0.problem?.code.name == "reverted" } }
        let values = reports.items.compactMap(\.problem).last?.code.values
        #expect(values == JSONConflict(path: "/port", base: 9, ours: 9, theirs: 1))
        #expect(try text() == Self.text)
        withExtendedLifetime(token) {}
    }

    @Test("A callback may change its session after an update, a commit, an edit or a report")
    func callbacks() throws {
        try folder.write("server.json", Self.text)
        let session = try session()
        let atOnce = Delivery.custom { job in job() }
        let tokens = [
            session.observe(\.port, on: atOnce) { [weak session] change in
                try? session?.update { $0.greeting = "port \(change.new)" }
            },
            session.mirror.observe(on: atOnce) { [weak session] report in
                if case .status(let status) = report, status.content == .missing {
                    try? session?.update { $0.limits.burst = 99 }
                }
            },
        ]
        try session.update { $0.port = 2 }
        eventually("the callback runs after an update") { session.greeting == "port 2" }
        try session.commitBlocking { $0.port = 3 }
        eventually("the callback runs after a commit") { session.greeting == "port 3" }
        try session.flushBlocking()
        try folder.write("server.json", Self.text.replacingFirst("1,", with: "4,"))
        eventually("the callback runs after an edit") { session.greeting == "port 4" }
        try session.flushBlocking()
        try folder.remove("server.json")
        eventually("the callback runs after a report") { session.limits.burst == 99 }
        try session.closeBlocking()
        #expect(try JSON(parsing: text())["limits", "burst"] == 99)
        withExtendedLifetime(tokens) {}
    }

    @Test("Concurrent commits of tasks are all in the file") func tasks() async throws {
        let session = try session()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...50 { group.addTask { try await session.commit { $0.port += 1 } } }
            try await group.waitForAll()
        }
        #expect(try JSON(parsing: text())["port"] == 8130)
        try session.update { $0.port = 1 }
        try await session.flush()
        #expect(try JSON(parsing: text())["port"] == 1)
        try await session.flush()
    }

    @Test("A session in memory supports commit, set, flush and close without a file") func memory() async throws {
        let session = Session(inMemory: Server())
        #expect(
            try await session.commit {
                $0.port += 1
                return $0.port
            } == 8081)
        try session.commitBlocking { $0.port += 1 }
        try session.set("/limits/burst", to: 7)
        #expect(session.port == 8082 && session.limits.burst == 7)
        #expect(throws: (any Error).self) { try session.set("/port", to: "no") }
        try await session.flush()
        try session.flushBlocking()
        #expect(session.mirror.status.saving == .clean && session.mirror.lastSave == nil)
        try session.closeBlocking()
        #expect { try session.commitBlocking { $0.port = 1 } } throws: { ($0 as? SessionError)?.code == .closed }
    }

    @Test("Updates of two sessions of one file reach both") func two() throws {
        try folder.write("server.json", Self.text)
        let (one, two) = (try session(), try session())
        try one.update { $0.greeting = "one" }
        try two.update { $0.limits.burst = 2 }
        eventually("both sessions have both updates") {
            one.limits.burst == 2 && two.greeting == "one" && one.greeting == "one" && two.limits.burst == 2
        }
    }

    @Test("A value that JSON cannot represent blocks saving until it is replaced") func unwritable() throws {
        struct Ratio: Codable, Sendable { var value = 1.0 }
        let session = try Session(Ratio(), at: path, options: options)
        try session.update { $0.value = .nan }
        eventually("saving is blocked") { session.mirror.status.saving == .blocked }
        #expect { try session.flushBlocking() } throws: { ($0 as? SessionProblem)?.code == .unwritable }
        #expect(throws: (any Error).self) { try session.commitBlocking { $0.value = .infinity } }
        try session.update { $0.value = 2 }
        try session.closeBlocking()
        #expect(try JSON(parsing: text()) == ["value": 2])
    }

    @Test("A flush after a change saves that, whatever save fails meanwhile") func failingMeanwhile() throws {
        struct Ratio: Codable, Sendable { var value = 1.0 }
        let session = try Session(Ratio(), at: path, options: options)
        let failures = Received<any Error>()
        for round in 2...(Thoroughness.isFull ? 500 : 100) {
            try session.update { $0.value = .nan }
            onThreads(2) { thread in
                if thread == 0 {
                    // Fails, unless the other thread is faster.
                    try? session.flushBlocking()
                } else {
                    do {
                        try session.update { $0.value = Double(round) }
                        try session.flushBlocking()
                    } catch {
                        failures.add(error)
                    }
                }
            }
            #expect(try JSON(parsing: text()) == ["value": JSON(round)])
        }
        #expect(failures.items.isEmpty)
    }
}

extension String {
    fileprivate func replacingFirst(_ text: String, with other: String) -> String {
        replacing(text, with: other, maxReplacements: 1)
    }
}
