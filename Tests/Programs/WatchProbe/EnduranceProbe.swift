import FileScripts
import FileWatching
import Glibc
import Synchronization

/// Watches one file during a long series of edits.
///
/// In calls of the handler it prints `at NUMBER REARMS`, the first number in the file and the number of rearms, if the
/// latter is new or the number is divisible by ten. The command `report` prints the numbers that must not grow.
final class EnduranceProbe: Sendable {
    private let path: String
    private let watcher: Watcher
    private let events: EventCount
    private let watch = Mutex<FileWatch?>(nil)
    private let lastRearms = Atomic(-1)
    private let changes = Atomic(0)

    init(_ mode: WatchMode, _ path: String) throws {
        self.path = path
        let events = EventCount()
        self.events = events
        watcher = Watcher(mode) { events.add($0) }
    }

    func run() throws {
        _ = MemoryUsage.now
        let begun = try watcher.watch(path) { [weak self] in self?.handleChange() }
        watch.withLock { $0 = begun }
        say("watching")
        while let line = readLine() {
            guard line == "report" else { fail("unknown command: \(line)") }
            say("report \(report)")
        }
    }

    private func handleChange() {
        changes.add(1, ordering: .relaxed)
        guard let watch = watch.withLock({ $0 }), let number = FirstNumber.read(path) else { return }
        let rearms = watch.metrics.rearms
        let isNew = lastRearms.exchange(rearms, ordering: .relaxed) != rearms
        if isNew || number % 10 == 0 { say("at \(number) \(rearms)") }
    }

    private var report: String {
        let (memory, statistics) = (MemoryUsage.now, watcher.statistics)
        let numbers = [
            "residentBytes": memory.resident, "allocatedBytes": memory.allocated,
            "watches": statistics.kernelWatches,
            "stale": statistics.staleRecords, "restarts": statistics.restarts, "overflows": statistics.overflows,
            "changes": changes.load(ordering: .relaxed), "events": events.all, "ofContent": events.ofContent,
        ]
        return numbers.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
    }
}

/// Counts inotify events.
final class EventCount: Sendable {
    private let counts = Mutex((all: 0, ofContent: 0))

    var all: Int { counts.withLock { $0.all } }
    /// The events of writes to the file and of closing it.
    var ofContent: Int { counts.withLock { $0.ofContent } }

    func add(_ event: FileWatchEvent) {
        let isOfContent = event.isFile && (event.kinds == ["MODIFY"] || event.kinds == ["CLOSE_WRITE"])
        counts.withLock {
            $0.all += 1
            if isOfContent { $0.ofContent += 1 }
        }
    }
}
