import BenchmarkHarness
import LosslessJSON
import SessionMirror
import Synchronization

/// Reading one value of a session, beside the same value behind a mutex.
enum ReadBenchmarks {
    private static let prepared = Contenders.prepared(Configuration())

    static func add() {
        for company in Company.allCases {
            addPort(company)
            addReadPort(company)
        }
        addBurst()
        addGreeting()
        addKeyPath()
        addSnapshot()
        addThreeLevels()
    }

    private static func addPort(_ company: Company) {
        let title = "read/session.port/\(company.rawValue)"
        Benchmark.add(title) { run in
            let session = prepared().session
            company.run({ keep(session.port) }, { publish(session) }) { run.measure { session.port } }
        }
        Benchmark.add(title, by: "Mutex") { run in
            let guarded = prepared().guarded
            company.run({ keep(guarded.root.withLock(\.port)) }, { publish(guarded) }) {
                run.measure { guarded.root.withLock { $0.port } }
            }
        }
    }

    private static func addReadPort(_ company: Company) {
        Benchmark.add("read/read { $0.port }/\(company.rawValue)") { run in
            let session = prepared().session
            company.run({ keep(session.read { $0.port }) }, { publish(session) }) {
                run.measure { session.read { $0.port } }
            }
        }
    }

    private static func addBurst() {
        Benchmark.add("read/session.limits.burst/alone") { run in
            let session = prepared().session
            run.measure { session.limits.burst }
        }
        Benchmark.add("read/session.limits.burst/alone", by: "Mutex") { run in
            let guarded = prepared().guarded
            run.measure { guarded.root.withLock { $0.limits.burst } }
        }
    }

    private static func addGreeting() {
        Benchmark.add("read/a string on the heap/alone") { run in
            let session = prepared().session
            run.measure { session.greeting }
        }
        Benchmark.add("read/a string on the heap/alone", by: "Mutex") { run in
            let guarded = prepared().guarded
            run.measure { guarded.root.withLock { $0.greeting } }
        }
    }

    private static func addKeyPath() {
        Benchmark.add("read/a key path of run time/alone") { run in
            let session = prepared().session
            let keyPath = unknown(\Configuration.port)
            run.measure { session[keyPath] }
        }
        Benchmark.add("read/a key path of run time/alone", by: "Mutex") { run in
            let guarded = prepared().guarded
            let keyPath = unknown(\Configuration.port)
            run.measure { guarded.root.withLock { $0[keyPath: keyPath] } }
        }
    }

    private static func addSnapshot() {
        Benchmark.add("read/session.snapshot/alone") { run in
            let session = prepared().session
            run.measure { session.snapshot }
        }
        Benchmark.add("read/session.snapshot/alone", by: "Mutex") { run in
            let guarded = prepared().guarded
            run.measure { guarded.root.withLock { $0 } }
        }
    }

    private static func addThreeLevels() {
        let prepared = Contenders<JSON>.prepared(["http": ["port": ["x": 8080, "y": 1], "host": "a"], "log": true])
        Benchmark.add("read/three levels of JSON/alone") { run in
            let session = prepared().session
            run.measure { session["http", "port", "x"] }
        }
        Benchmark.add("read/three levels of JSON/alone", by: "Mutex") { run in
            let guarded = prepared().guarded
            run.measure { guarded.root.withLock { $0["http"]?["port"]?["x"] } }
        }
    }

    private static func publish(_ session: Session<Configuration>) {
        do { try session.update { $0.port &+= 1 } } catch { preconditionFailure("\(error)") }
    }

    private static func publish(_ guarded: Guarded<Configuration>) { guarded.root.withLock { $0.port &+= 1 } }

    /// Keeps the compiler from knowing which key path it is.
    @inline(never) private static func unknown<Root, Value>(
        _ keyPath: KeyPath<Root, Value>
    ) -> KeyPath<Root, Value> { keyPath }
}
