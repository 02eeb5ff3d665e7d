import FileScripts
import FileWatching
import Glibc
import Synchronization

/// Watches one file, through which somebody sends a year's worth of edits, and says what it learns of them.
///
/// After a call of the handler it says `at NUMBER REARMS`: the first number that the file holds and how often the path
/// turned out to lead elsewhere, as a rule only if the latter is new or the number divisible by ten. A `report` asks for
/// everything that must not grow.
final class YearProbe: Sendable {
    private let path: String
    private let watcher: Watcher
    private let events: EventCount
    private let watch = Mutex<FileWatch?>(nil)
    private let lastRearms = Atomic(-1)
    private let looks = Atomic(0)

    init(_ way: Way, _ path: String) throws {
        self.path = path
        let events = EventCount()
        self.events = events
        watcher = Watcher(way) { events.add($0) }
    }

    func run() throws {
        _ = Memory.now
        let begun = try watcher.watch(path) { [weak self] in self?.look() }
        watch.withLock { $0 = begun }
        say("watching")
        while let line = readLine() {
            guard line == "report" else { fail("what is \(line)?") }
            say("report \(report)")
        }
    }

    private func look() {
        looks.add(1, ordering: .relaxed)
        guard let watch = watch.withLock({ $0 }), let number = FirstNumber.read(path) else { return }
        let rearms = watch.metrics.rearms
        let isNew = lastRearms.exchange(rearms, ordering: .relaxed) != rearms
        if isNew || number % 10 == 0 { say("at \(number) \(rearms)") }
    }

    private var report: String {
        let (memory, statistics) = (Memory.now, watcher.statistics)
        let numbers = [
            "residentBytes": memory.resident, "allocatedBytes": memory.allocated,
            "watches": statistics.kernelWatches,
            "stale": statistics.staleRecords, "restarts": statistics.restarts, "overflows": statistics.overflows,
            "looks": looks.load(ordering: .relaxed), "events": events.all, "ofContent": events.ofContent,
        ]
        return numbers.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
    }
}

/// Counts what the kernel told.
final class EventCount: Sendable {
    private let counts = Mutex((all: 0, ofContent: 0))

    var all: Int { counts.withLock { $0.all } }
    /// Of writing and closing the file itself.
    var ofContent: Int { counts.withLock { $0.ofContent } }

    func add(_ event: FileWatchEvent) {
        let isOfContent = event.isFile && (event.kinds == ["MODIFY"] || event.kinds == ["CLOSE_WRITE"])
        counts.withLock {
            $0.all += 1
            if isOfContent { $0.ofContent += 1 }
        }
    }
}
