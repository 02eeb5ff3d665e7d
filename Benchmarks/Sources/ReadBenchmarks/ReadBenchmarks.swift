import BenchmarkData
import BenchmarkHarness
import Contenders
import LosslessJSON
import SessionMirror

/// Reading one value of a session, compared with other ways to share a value between threads.
enum ReadBenchmarks {
    private static let prepared = SessionAndMutex.prepared(Configuration())
    private static let readerWriterLock = LazyValue { ReaderWriterLockProtected(Configuration()) }
    private static let decodedText = LazyValue { DecodedText() }
    private static let defaults = LazyValue { DefaultsValues() }

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
        addPort(concurrency, by: "Mutex", LazyValue { MutexProtected(Configuration()) })
        addPort(concurrency, by: "rwlock", readerWriterLock)
        ActorBenchmarks.addPort(title, concurrency)
        addPort(concurrency, by: "JSONDecoder", decodedText)
        addPort(concurrency, by: "UserDefaults", defaults)
        addPort(concurrency, by: "rcu_dereference", LazyValue { ReadCopyUpdateNumber(8080) })
        addPort(concurrency, by: "atomic load", LazyValue { AtomicNumber(8080) })
    }

    /// Inlined, so that reads need no witness table.
    @inline(__always)
    private static func addPort<Source: PortSource>(
        _ concurrency: Concurrency, by implementation: String, _ prepared: LazyValue<Source>
    ) {
        Benchmark.add("read/session.port/\(concurrency.rawValue)", by: implementation) { run in
            let source = prepared()
            concurrency.run({ blackHole(source.port) }, { source.publish() }) { run.measure { source.port } }
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
            run.measure { protected.read { $0.value.limits.burst } }
        }
    }

    private static func addGreeting() {
        let title = "read/a string on the heap/alone"
        Benchmark.add(title) { run in
            let session = prepared().session
            run.measure { session.greeting }
        }
        Benchmark.add(title, by: "Mutex") { run in
            let protected = prepared().protected
            run.measure { protected.read { $0.value.greeting } }
        }
        Benchmark.add(title, by: "rwlock") { run in
            let protected = readerWriterLock()
            run.measure { protected.read { $0.value.greeting } }
        }
        ActorBenchmarks.addGreeting(title)
        Benchmark.add(title, by: "JSONDecoder") { run in
            let text = decodedText()
            run.measure { text.decoded.greeting }
        }
        Benchmark.add(title, by: "UserDefaults") { run in
            let defaults = defaults()
            run.measure { defaults.greeting }
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
            run.measure { protected.read { $0.value[keyPath: keyPath] } }
        }
    }

    private static func addSnapshot() {
        let title = "read/session.snapshot/alone"
        Benchmark.add(title) { run in
            let session = prepared().session
            run.measure { session.snapshot }
        }
        Benchmark.add(title, by: "Mutex") { run in
            let protected = prepared().protected
            run.measure { protected.read { $0 } }
        }
        Benchmark.add(title, by: "rwlock") { run in
            let protected = readerWriterLock()
            run.measure { protected.read { $0 } }
        }
        ActorBenchmarks.addSnapshot(title)
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
            run.measure { protected.read { $0.value["http"]?["port"]?["x"] } }
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

    /// Hides the key path from the optimizer.
    @inline(never) private static func opaque<Root, Value>(
        _ keyPath: KeyPath<Root, Value>
    ) -> KeyPath<Root, Value> { keyPath }
}
