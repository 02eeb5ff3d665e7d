import Contenders
import Foundation
import ManualTiming
import SessionMirror
import Synchronization

/// Measures reads by a number of threads at once, beside what programs use instead. The result is the time in which all
/// threads together read once: its inverse is the number of reads a second.
struct ThreadGrowth {
    let threads: Int
    let milliseconds: Int

    private struct Settings: Codable, Sendable {
        var port = 8080
    }

    func run(into growth: inout Growth) throws {
        let session = Session(inMemory: Settings())
        let mutex = MutexProtected(Settings())
        let lock = ReaderWriterLockProtected(Settings())
        let atomic = AtomicNumber(8080)
        let structure = ReadCopyUpdateNumber(8080)
        var implementations: [Growth.Implementation] = [
            .init("ours") { timePerRead { count in sum(count) { session.port } } },
            .init("rcu_dereference") { timePerRead { count in sum(count) { structure.value } } },
            .init("atomic load") { timePerRead { count in sum(count) { atomic.value } } },
        ]
        // A lock for which a thousand threads wait is handed over for seconds.
        if threads <= 100 {
            implementations += [
                .init("Mutex") { timePerRead(in: 200) { count in sum(count) { mutex.read { $0.value.port } } } },
                .init("rwlock") { timePerRead(in: 200) { count in sum(count) { lock.read { $0.value.port } } } },
            ]
        }
        try growth.measure("read", Size(threads, .threads), implementations)
    }

    /// Inlined, so that each read is in the loop.
    @inline(__always)
    private func sum(_ count: Int, _ read: () -> Int) -> Int {
        var sum = 0
        for _ in 0..<count { sum &+= read() }
        return sum
    }

    /// Counts the reads of all threads between two instants. The threads start themselves, because a thread that starts
    /// them would compete with those that run already, and each finishes its batch in the end.
    private func timePerRead(in batch: Int = 1_000, _ readBatch: @escaping @Sendable (Int) -> Int) -> Double {
        let reads = SharedCount()
        let group = DispatchGroup()
        // Enough for creating the threads, and for waking them.
        let start = now() + 10_000_000 + threads * 150_000
        let begin = start + threads * 10_000
        let end = begin + milliseconds * 1_000_000
        for _ in 0..<threads {
            group.enter()
            Thread.detachNewThread {
                sleep(until: start)
                var (sum, count) = (0, 0)
                while true {
                    let moment = now()
                    if moment >= end { break }
                    sum &+= readBatch(batch)
                    if moment >= begin { count += batch }
                }
                reads.value.add(count, ordering: .relaxed)
                withExtendedLifetime(sum) {}
                group.leave()
            }
        }
        if now() > start { fail("\(threads) threads were not created in time") }
        group.wait()
        return Double(end - begin) / Double(reads.value.load(ordering: .relaxed))
    }

    private final class SharedCount: Sendable {
        let value = Atomic(0)
    }
}
