import DurableFiles
import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// A file whose timestamps change continuously must not delay saves.
@Suite("Saving while the file is touched continuously") struct TouchedFileTests {
    private static let start = Instant(nanoseconds: 2_000_000_000)

    /// Finishes loads, touching the file during each, until the state requests something else. Returns their number.
    private func loadsUntilSave(
        _ state: inout SyncState, _ effects: [SyncState.Effect], every pause: Duration
    ) -> Int {
        var (loads, now, effects) = (0, Self.start, effects)
        while case .load? = effects.last, loads < 100 {
            loads += 1
            now = now + pause
            _ = state.fileChanged(at: now)
            effects = state.loadFinished(.unchanged, at: now)
        }
        if case .save? = effects.last {} else { Issue.record("no save is started after \(loads) loads") }
        return loads
    }

    private func update(_ state: inout SyncState, at moment: Instant) {
        let value: JSON = ["n": 1]
        _ = state.updated(
            to: SnapshotStorage(value, version: state.snapshot.version.next, origin: .update, source: .tree(value)),
            at: moment)
    }

    @Test("A requested save starts after at most one load") func wanted() {
        var state = LoadingSimulation().state
        let effects = state.fileChanged(at: Self.start)
        #expect(state.saveRequested(at: Self.start).isEmpty)
        #expect(loadsUntilSave(&state, effects, every: .milliseconds(5)) == 1)
    }

    @Test("A delayed save starts after the load that is running when it becomes due") func due() {
        var state = LoadingSimulation().state
        update(&state, at: Self.start)
        let effects = state.fileChanged(at: Self.start)
        #expect(loadsUntilSave(&state, effects, every: .milliseconds(50)) == 5)
    }

    @Test("Loads and saves alternate while the file changes during each of them") func turns() {
        var state = LoadingSimulation().state
        var effects = state.fileChanged(at: Self.start)
        var jobs: [String] = []
        for _ in 0..<6 {
            _ = state.saveRequested(at: Self.start)
            _ = state.fileChanged(at: Self.start)
            switch effects.last {
            case .load?:
                jobs.append("load")
                effects = state.loadFinished(.unchanged, at: Self.start)
            case .save?:
                jobs.append("save")
                effects = state.saveSucceeded(nil, at: Self.start)
            default: break
            }
        }
        #expect(jobs == ["load", "save", "load", "save", "load", "save"])
    }

    struct Pace: Sendable, CustomTestStringConvertible {
        let megabytes: Int
        let milliseconds: Int

        var testDescription: String { "\(megabytes) MB, every \(milliseconds) ms" }
    }

    /// Under the thread sanitizer, one load of 20 MB takes about as long as closing may.
    private static let largest = Pace(megabytes: Sanitizer.findsRaces ? 8 : 20, milliseconds: 30)

    @Test(
        "Commit, flush and close end while a large file is touched every few milliseconds", .needs(.python3),
        .timeLimit(.minutes(10)),
        arguments: [Pace(megabytes: 5, milliseconds: 5), largest])
    func real(_ pace: Pace) throws {
        let environment = try ScenarioEnvironment()
        let text = #"{ "port": 1, "text": ""# + String(repeating: "x", count: pace.megabytes << 20) + "\" }\n"
        try environment.folder.write("server.json", text)
        var options = SessionOptions()
        options.replacing.durability = .fast
        // Finding the line of the long text takes another pass over it.
        options.unknownKeys = .ignore
        let session = try Session(Server(), at: environment.folder.path(of: "server.json"), options: options)
        let touchingProgram = try environment.start(
            """
            python3 -c '
            import os, time
            open("begun", "w").close()
            while not os.path.exists("enough"):
                try: os.utime("server.json")
                except OSError: pass
                time.sleep(\(Double(pace.milliseconds) / 1000))
            '
            """)
        eventually("the file is touched") { (try? environment.folder.read("begun")) != nil }
        try expectEnd(of: session, "the commit") { try session.commitBlocking { $0.port = 2 } }
        try session.update { $0.port = 3 }
        try expectEnd(of: session, "the flush") { try session.flushBlocking() }
        try session.update { $0.port = 4 }
        try expectEnd(of: session, "the close") { try session.closeBlocking() }
        try environment.folder.write("enough", "")
        try touchingProgram.requireSuccess(of: "the touching program")
    }

    private func expectEnd(
        of session: Session<Server>, _ what: String, _ body: @escaping @Sendable () throws -> Void
    ) throws {
        let before = session.mirror.metrics.loads
        let isOver = Received<String>()
        let loads = Received<Int>()
        let thread = TestThread {
            do {
                try body()
                loads.add(session.mirror.metrics.loads - before)
                isOver.add("done")
            } catch {
                isOver.add("\(error)")
            }
        }
        if eventually("\(what) ends", within: .seconds(120), { isOver.count > 0 }) { thread.join() }
        #expect(isOver.items == ["done"], "\(what), after \(session.mirror.metrics.loads - before) loads")
        // The running load, one that is due before the save, and those that end before the waiting thread runs again.
        #expect(loads.items.allSatisfy { $0 <= 10 }, "\(what)")
    }
}
