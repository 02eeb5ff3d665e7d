import BenchmarkHarness
import Foundation
import StoredValues

/// Reading and setting stored values, beside the same of a session, of a plain static variable and of `UserDefaults`.
enum StoredBenchmarks {
    private enum SessionPersistence: StandardSession {
        struct Values: Codable, Sendable {
            var showColumn = true
            var limits = Limits()
            var names = ["a name that is long enough for the heap", "b", "c", "d"]
        }
        static let location = SessionLocation.file(TemporaryFiles.folder + "/static.json")
        static let session = standard(Values())
    }

    private struct Limits: Codable, Sendable {
        var burst = 10
        var names: [String] = []
    }

    private enum Plain {
        nonisolated(unsafe) static var showColumn = CommandLine.arguments.count > 0
    }

    private static let session: Session<JSON> = {
        do {
            return try Session(
                .object(["count": 1, "ratings": [1, 2, 3, 4]]), at: TemporaryFiles.folder + "/stored.json")
        } catch {
            preconditionFailure("\(error)")
        }
    }()
    private static let count = Stored("count", default: 1, in: session)
    private static let ratings = Stored("ratings", default: [4, 0, 0, 0], in: session)
    private static let view = SessionPersistence.view(\.limits)

    static func add() {
        addPlainValue()
        addArray()
        addSetting()
        addWrappers()
    }

    private static func addPlainValue() {
        let title = "stored/a plain value/read"
        Benchmark.add(title, by: "session.showColumn") { run in
            let session = SessionPersistence.session
            run.measure { session.showColumn }
        }
        Benchmark.add(title) { run in run.measure { SessionPersistence.showColumn } }
        Benchmark.add(title, by: "@Stored") { run in
            let count = count
            run.measure { count.value }
        }
        Benchmark.add(title, by: "view.burst") { run in
            let view = view
            run.measure { view.burst }
        }
        Benchmark.add(title, by: "a static variable") { run in run.measure { Plain.showColumn } }
        Benchmark.add(title, by: "UserDefaults") { run in
            let defaults = TemporaryFiles.userDefaults()
            defaults.set(true, forKey: "showColumn")
            run.measure { defaults.bool(forKey: "showColumn") }
        }
    }

    private static func addArray() {
        let title = "stored/an array/read"
        Benchmark.add(title, by: "session.names") { run in
            let session = SessionPersistence.session
            run.measure { session.names }
        }
        Benchmark.add(title) { run in
            let ratings = ratings
            ratings.value = [4, 0, 0, 1]
            run.measure { ratings.value }
        }
        Benchmark.add(title, by: "$ratings.read") { run in
            let ratings = ratings
            run.measure { ratings.read { $0.count } }
        }
        Benchmark.add(title, by: "UserDefaults") { run in
            let defaults = TemporaryFiles.userDefaults()
            defaults.set([4, 0, 0, 1], forKey: "ratings")
            run.measure { defaults.array(forKey: "ratings") }
        }
    }

    private static func addSetting() {
        let title = "stored/set until visible"
        Benchmark.add(title) { run in
            let count = count
            var number = 0
            run.measure {
                number += 1
                count.value = number
                return count.value
            }
        }
        Benchmark.add(title, by: "static parameter") { run in
            run.measure {
                SessionPersistence.showColumn.toggle()
                return SessionPersistence.showColumn
            }
        }
        Benchmark.add(title, by: "session.update") { run in
            let session = SessionPersistence.session
            run.measure {
                try? session.update { $0.limits.burst += 1 }
                return session.limits.burst
            }
        }
        Benchmark.add(title, by: "UserDefaults") { run in
            let defaults = TemporaryFiles.userDefaults()
            var number = 0
            run.measure {
                number += 1
                defaults.set(number, forKey: "count")
                return defaults.integer(forKey: "count")
            }
        }
    }

    private static func addWrappers() {
        Benchmark.add("stored/10,000 wrappers/read after a change") { run in
            let wrappers = (0..<10_000).map { _ in Stored("count", default: 1, in: session) }
            var number = 0
            run.measure {
                number += 1
                wrappers[0].value = number
                return wrappers.reduce(0) { $0 &+ $1.value }
            }
        }
        Benchmark.add("stored/a wrapper/made") { run in
            let session = session
            run.measure { Stored("count", default: 1, in: session) }
        }
    }
}
