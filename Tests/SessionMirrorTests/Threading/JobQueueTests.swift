import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Job queue")
struct JobQueueTests {
    @Test("Jobs leave the queue in FIFO order, even after a burst", arguments: SeededGenerator.seeds)
    func order(seed: UInt64) {
        var queue = JobQueue()
        let done = Lock<[Int]>([])
        var (posted, taken) = (0, 0)
        var random = SeededGenerator(seed)
        for round in 0..<60 {
            for _ in 0..<Int.random(in: 0...(round == 20 ? 5000 : 50), using: &random) {
                let number = posted
                queue.append { done.withLock { $0.append(number) } }
                posted += 1
            }
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                guard let job = queue.takeFirst() else { break }
                job()
                taken += 1
            }
            #expect(queue.isEmpty == (posted == taken))
        }
        while let job = queue.takeFirst() { job() }
        #expect(done.withLock { $0 } == Array(0..<posted))
        #expect(queue.isEmpty)
    }

    @Test("The queue does not retain a job that was taken")
    func releases() throws {
        final class Kept: Sendable {}
        var queue = JobQueue()
        weak var watched: Kept?
        do {
            let kept = Kept()
            watched = kept
            queue.append { withExtendedLifetime(kept) {} }
        }
        queue.append {}
        #expect(watched != nil)
        _ = queue.takeFirst()
        #expect(watched == nil)
        #expect(!queue.isEmpty)
    }
}
