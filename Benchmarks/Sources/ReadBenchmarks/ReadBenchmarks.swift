import BenchmarkHarness
import LosslessJSON
import SessionMirror
import Synchronization

/// Reading one value of a session, compared with a mutex.
enum ReadBenchmarks {
    private static let prepared = SessionAndMutex.prepared(Configuration())

    static func add() {
        for concurrency in Concurrency.allCases {
            addPort(concurrency)
            addReadPort(concurrency)
        }
        addBurst()
        addGreeting()
        addKeyPath()
        addSnapshot()
        addThreeLevels()
        addTypedKey()
    }

    private static func addPort(_ concurrency: Concurrency) {
        let title = "read/session.port/\(concurrency.rawValue)"
        Benchmark.add(title) { run in
            let session = prepared().session
            concurrency.run({ blackHole(session.port) }, { publish(session) }) { run.measure { session.port } }
        }
        Benchmark.add(title, by: "Mutex") { run in
            let protected = prepared().protected
            concurrency.run({ blackHole(protected.root.withLock(\.port)) }, { publish(protected) }) {
                run.measure { protected.root.withLock { $0.port } }
            }
        }
    }

    private static func addReadPort(_ concurrency: Concurrency) {
        Benchmark.add("read/read { $0.port }/\(concurrency.rawValue)") { run in
            let session = prepared().session
            concurrency.run({ blackHole(session.read { $0.port }) }, { publish(session) }) {
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
            let protected = prepared().protected
            run.measure { protected.root.withLock { $0.limits.burst } }
        }
    }

    private static func addGreeting() {
        Benchmark.add("read/a string on the heap/alone") { run in
            let session = prepared().session
            run.measure { session.greeting }
        }
        Benchmark.add("read/a string on the heap/alone", by: "Mutex") { run in
            let protected = prepared().protected
            run.measure { protected.root.withLock { $0.greeting } }
        }
    }

    private static func addKeyPath() {
        Benchmark.add("read/a key path of run time/alone") { run in
            let session = prepared().session
            let keyPath = opaque(\Configuration.port)
            run.measure { session[keyPath] }
        }
        Benchmark.add("read/a key path of run time/alone", by: "Mutex") { run in
            let protected = prepared().protected
            let keyPath = opaque(\Configuration.port)
            run.measure { protected.root.withLock { $0[keyPath: keyPath] } }
        }
    }

    private static func addSnapshot() {
        Benchmark.add("read/session.snapshot/alone") { run in
            let session = prepared().session
            run.measure { session.snapshot }
        }
        Benchmark.add("read/session.snapshot/alone", by: "Mutex") { run in
            let protected = prepared().protected
            run.measure { protected.root.withLock { $0 } }
        }
    }

    private static func addThreeLevels() {
        let prepared = SessionAndMutex<JSON>.prepared([
            "http": ["port": ["x": 8080, "y": 1], "host": "a"], "log": true,
        ])
        Benchmark.add("read/three levels of JSON/alone") { run in
            let session = prepared().session
            run.measure { session["http", "port", "x"] }
        }
        Benchmark.add("read/three levels of JSON/alone", by: "Mutex") { run in
            let protected = prepared().protected
            run.measure { protected.root.withLock { $0["http"]?["port"]?["x"] } }
        }
    }

    private static func addTypedKey() {
        let members = JSON.object(JSONObject((0..<10).map { ("key \($0)", JSON($0)) }))
        let prepared = SessionAndMutex<JSON>.prepared(members)
        for (what, key) in [("present", "key 7"), ("missing", "key 70")] {
            Benchmark.add("read/one key as a type, \(what)/alone") { run in
                let session = prepared().session
                run.measure { session[key, as: Int.self] }
            }
        }
    }

    private static func publish(_ session: Session<Configuration>) {
        do { try session.update { $0.port &+= 1 } } catch { preconditionFailure("\(error)") }
    }

    private static func publish(_ protected: MutexProtected<Configuration>) {
        protected.root.withLock { $0.port &+= 1 }
    }

    /// Hides the key path from the optimizer.
    @inline(never) private static func opaque<Root, Value>(
        _ keyPath: KeyPath<Root, Value>
    ) -> KeyPath<Root, Value> { keyPath }
}
