import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Origins of changes") struct OriginTests {
    private struct Counters: Codable, Equatable, Sendable {
        var mine = 0
        var theirs = 0
    }

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "counters.json")
        try folder.write("counters.json", #"{ "mine": 0, "theirs": 0 }"#)
    }

    /// A session that loads the file only in commits and saves.
    private func session() throws -> Session<Counters> {
        var options = SessionOptions()
        (options.watching, options.savingDelay, options.savingLimit) = (.off, .seconds(3_600), .seconds(3_600))
        return try Session(Counters(), at: path, options: options)
    }

    @Test("An edit that a commit loads is an external change, and the commit's own change is an update")
    func commit() throws {
        let session = try session()
        let (mine, theirs) = (Received<Change<Int>>(), Received<Change<Int>>())
        let tokens = [session.observe(\.mine) { mine.add($0) }, session.observe(\.theirs) { theirs.add($0) }]
        try folder.write("counters.json", #"{ "mine": 0, "theirs": 7 }"#)
        try session.commitBlocking { $0.mine += 1 }
        eventually("both changes are delivered") { mine.count == 1 && theirs.count == 1 }
        #expect(mine.items.first?.origin == .update)
        #expect(theirs.items.first?.origin == .external)
        #expect(theirs.items.first?.new == 7)
        #expect(session.snapshot.origin == .update)
        withExtendedLifetime(tokens) {}
    }

    @Test("An edit that a save loads is an external change, and the saved change is an update") func save() throws {
        let session = try session()
        let (mine, theirs) = (Received<Change<Int>>(), Received<Change<Int>>())
        let tokens = [session.observe(\.mine) { mine.add($0) }, session.observe(\.theirs) { theirs.add($0) }]
        try folder.write("counters.json", #"{ "mine": 0, "theirs": 7 }"#)
        try session.update { $0.mine = 1 }
        try session.flushBlocking()
        eventually("both changes are delivered") { mine.count == 1 && theirs.count == 1 }
        #expect(mine.items.first?.origin == .update)
        #expect(theirs.items.first?.origin == .external)
        withExtendedLifetime(tokens) {}
    }

    @Test("The origin of a value is that of its last change, even if its subscriber receives a later version")
    func held() throws {
        let session = try session()
        let latch = Latch()
        let (mine, theirs) = (Received<Change<Int>>(), Received<Change<Int>>())
        let tokens = [
            session.observe(\.self, on: .custom { _ in latch.pass() }) { _ in },
            session.observe(\.mine) { mine.add($0) }, session.observe(\.theirs) { theirs.add($0) },
        ]
        try session.update { $0.mine = 1 }
        eventually("the delivery is blocked") { latch.isWaitedFor }
        // Skipped: an edit, an update, another edit and another update.
        for round in 1...2 {
            try folder.write("counters.json", #"{ "mine": \#(round), "theirs": \#(round * 10) }"#)
            session.mirror.reload()
            eventually("edit \(round) is loaded") { session.theirs == round * 10 }
            try session.commitBlocking { $0.mine = round + 1 }
        }
        latch.open()
        eventually("the last values are delivered") { mine.items.last?.new == 3 && theirs.items.last?.new == 20 }
        #expect(mine.items.allSatisfy { $0.origin == .update }, "\(mine.items)")
        #expect(theirs.items.allSatisfy { $0.origin == .external }, "\(theirs.items)")
        withExtendedLifetime(tokens) {}
    }

    @Test("Of two committing sessions, each receives the other's changes as external and its own as updates")
    func two() throws {
        let sessions = [try Session(Counters(), at: path), try Session(Counters(), at: path)]
        let received = [Received<Change<Int>>(), Received<Change<Int>>()]
        let others = [Received<Change<Int>>(), Received<Change<Int>>()]
        let keys: [any WritableKeyPath<Counters, Int> & Sendable] = [\.mine, \.theirs]
        let tokens = (0..<2).flatMap { index in
            [
                sessions[index].observe(keys[index]) { received[index].add($0) },
                sessions[index].observe(keys[1 - index]) { others[index].add($0) },
            ]
        }
        onThreads(2) { index in
            for _ in 0..<50 {
                do {
                    let key = keys[index]
                    try sessions[index].commitBlocking { $0[keyPath: key] += 1 }
                } catch {
                    Issue.record(error)
                }
            }
        }
        eventually("all changes are delivered") {
            received.allSatisfy { $0.items.last?.new == 50 } && others.allSatisfy { $0.items.last?.new == 50 }
        }
        for index in 0..<2 {
            #expect(received[index].items.allSatisfy { $0.origin == .update }, "\(received[index].items)")
            #expect(others[index].items.allSatisfy { $0.origin == .external }, "\(others[index].items)")
        }
        withExtendedLifetime(tokens) {}
    }
}
