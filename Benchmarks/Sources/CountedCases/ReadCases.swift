import LosslessJSON
import SessionMirror
import StoredValues

/// Reads of sessions and of stored values.
enum ReadCases {
    private enum Settings: StandardSession {
        struct Values: Codable, Sendable {
            var port = 8080
            var limits = Limits()
            var names = ["a name that is long enough for the heap", "b", "c", "d"]
        }
        struct Limits: Codable, Sendable { var burst = 10 }
        static let location = SessionLocation.file(WorkingFolder.path + "/settings.json")
        static let session = standard(Values())
    }

    static func count(_ counter: CaseCounter) throws {
        let session = Session(inMemory: Settings.Values())
        counter.count("read/session.port") { session.port }
        counter.count("read/read { $0.port }") { session.read { $0.port } }
        counter.count("read/session.limits.burst") { session.limits.burst }
        counter.count("read/an array") { session.names }
        counter.count("read/session.snapshot") { session.snapshot }
        countClosures(counter, session)
        try countJSON(counter)
        try countStored(counter)
    }

    /// Reads in many places, which the compiler may compile as a call of one function.
    private static func countClosures(_ counter: CaseCounter, _ session: Session<Settings.Values>) {
        let reads: [@Sendable () -> Int] = [
            { session.port }, { session.port + 1 }, { session.port + 2 }, { session.port + 3 }, { session.port + 4 },
            { session.port + 5 }, { session.port + 6 }, { session.port + 7 }, { session.port + 8 },
            { session.port + 9 },
        ]
        counter.count("read/session.port in ten closures") { reads.reduce(0) { $0 &+ $1() } }
        let others: [@Sendable () -> Int] = [
            { Settings.port }, { Settings.port + 1 }, { Settings.port + 2 }, { Settings.port + 3 },
            { Settings.port + 4 },
            { Settings.port + 5 }, { Settings.port + 6 }, { Settings.port + 7 }, { Settings.port + 8 },
            { Settings.port + 9 },
        ]
        counter.count("read/StandardSession in ten closures") { others.reduce(0) { $0 &+ $1() } }
    }

    private static func countJSON(_ counter: CaseCounter) throws {
        let session = Session<JSON>(inMemory: ["http": ["port": ["x": 8080, "y": 1], "host": "a"], "log": true])
        counter.count("read/three levels of JSON") { session["http", "port", "x"] }
        counter.count("read/one key as a type") { session["log", as: Bool.self] }
    }

    private static func countStored(_ counter: CaseCounter) throws {
        counter.count("read/StandardSession") { Settings.port }
        let stored = try Session(
            JSON.object(["count": 1, "names": ["a", "b"]]), at: WorkingFolder.path + "/stored.json")
        let count = Stored("count", default: 1, in: stored)
        counter.count("read/@Stored") { count.value }
        let names = Stored("names", default: ["a"], in: stored)
        counter.count("read/@Stored, an array") { names.value }
        let view = Settings.view(\.limits)
        counter.count("read/view.burst") { view.burst }
    }
}
