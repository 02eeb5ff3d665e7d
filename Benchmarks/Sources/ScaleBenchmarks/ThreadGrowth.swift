import Contenders
import Foundation
import ManualTiming
import SessionMirror
import Synchronization

/// Measures reads by a number of threads at once, beside a mutex and a reader-writer lock. The result is the time in
/// which all threads together read once: its inverse is the number of reads a second.
struct ThreadGrowth {
    let threads: Int
    let milliseconds: Int

    private struct Settings: Codable, Sendable {
        var port = 8080
    }

    private final class Progress: Sendable {
        let ready = Atomic(0)
        let isStarted = Atomic(false)
        let isOver = Atomic(false)
        let reads = Atomic(0)
    }

    func run(into growth: inout Growth) throws {
        let session = Session(inMemory: Settings())
        let mutex = MutexProtected(Settings())
        let lock = ReaderWriterLockProtected(Settings())
        try growth.measure(
            "read", Size(threads, .threads),
            [
                .init("ours") { timePerRead { count in sum(count) { session.port } } },
                .init("Mutex") { timePerRead { count in sum(count) { mutex.read { $0.value.port } } } },
                .init("rwlock") { timePerRead { count in sum(count) { lock.read { $0.value.port } } } },
            ])
    }

    /// Inlined, so that each read is in the loop.
    @inline(__always)
    private func sum(_ count: Int, _ read: () -> Int) -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= read() }
        return sum
    }

    private func timePerRead(_ readBatch: @escaping @Sendable (Int) -> Int) -> Double {
        let progress = Progress()
        let group = DispatchGroup()
        for _ in 0..<threads {
            group.enter()
            Thread.detachNewThread {
                progress.ready.add(1, ordering: .relaxed)
                while !progress.isStarted.load(ordering: .relaxed) { usleep(100) }
                var (sum, reads) = (0, 0)
                while !progress.isOver.load(ordering: .relaxed) {
                    sum &+= readBatch(1_000)
                    reads += 1_000
                }
                progress.reads.add(reads, ordering: .relaxed)
                withExtendedLifetime(sum) {}
                group.leave()
            }
        }
        while progress.ready.load(ordering: .relaxed) < threads { usleep(10) }
        let begin = now()
        progress.isStarted.store(true, ordering: .relaxed)
        usleep(UInt32(milliseconds * 1_000))
        progress.isOver.store(true, ordering: .relaxed)
        let nanoseconds = now() - begin
        group.wait()
        return Double(nanoseconds) / Double(progress.reads.load(ordering: .relaxed))
    }
}
