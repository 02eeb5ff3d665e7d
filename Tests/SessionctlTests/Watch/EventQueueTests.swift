import Locking
import LosslessJSON
import SessionMirror
import Testing

@testable import sessionctl

@Suite("Event queue of sessionctl watch") struct EventQueueTests {
    private let queue: EventQueue
    private let session = Session<JSON>(inMemory: 0)

    init() throws { queue = try EventQueue() }

    private func addVersion(_ number: Int, of file: Int = 0) throws {
        try session.update { $0 = JSON(number) }
        queue.add(.version(session.snapshot, at: .now), of: file)
    }

    private func addReport() { queue.add(.report(.status(session.mirror.status)), of: 0) }

    /// The numbers of versions, and nil for each report.
    private func takeAll() -> [Int?] {
        queue.takeAll().map(\.event).map { if case .version(let snapshot, _) = $0 { snapshot.value.int } else { nil } }
    }

    @Test("The queue keeps the order of events and only the last of consecutive versions") func order() throws {
        for number in 1...5 {
            try addVersion(number * 2)
            try addVersion(number * 2 + 1)
            addReport()
        }
        #expect(takeAll() == [3, nil, 5, nil, 7, nil, 9, nil, 11, nil])
        #expect(takeAll() == [])
    }

    @Test("A version replaces only versions of its own file") func files() throws {
        for _ in 1...16 { addReport() }
        for number in 1...20 {
            try addVersion(number, of: 1)
            try addVersion(-number, of: 2)
        }
        let versions = queue.takeAll().filter(\.event.isVersion)
        #expect(versions.map(\.file) == [1, 2])
        try addVersion(1, of: 1)
        try addVersion(2, of: 2)
        try addVersion(3, of: 2)
        try addVersion(4, of: 1)
        #expect(takeAll() == [1, 3, 4])
    }

    @Test("A full queue keeps one version, the last, and at most 1,024 events") func many() throws {
        for number in 1...3_000 {
            try addVersion(number)
            addReport()
        }
        let waiting = takeAll()
        #expect(waiting.count <= 1_024)
        #expect(waiting.compactMap(\.self) == [3_000])
        #expect(waiting.last == .some(nil))
    }

    @Test("Events that a thread takes as it adds them do not wake the main thread; all others do") func delivery()
        throws
    {
        let takes = Lock(true)
        let taken = Lock<[Int]>([])
        queue.deliver(to: { [queue] in
            guard takes.withLock({ $0 }), let events = queue.takeAll(unless: \.isDirectory) else { return false }
            taken.withLock { $0 += events.map(\.file) }
            return true
        })
        defer { queue.deliver(to: nil) }
        try addVersion(1, of: 7)
        #expect(try queue.wait(until: .now) == .timedOut)
        takes.withLock { $0 = false }
        try addVersion(2, of: 8)
        #expect(try queue.wait(until: nil) == .events)
        takes.withLock { $0 = true }
        // An earlier event waits for the main thread, which takes this one as well.
        try addVersion(3, of: 9)
        #expect(try queue.wait(until: .now) == .timedOut)
        #expect(takeAll() == [2, 3])
        queue.add(.directory, of: 0)
        #expect(try queue.wait(until: nil) == .events)
        #expect(taken.withLock { $0 } == [7])
    }
}
