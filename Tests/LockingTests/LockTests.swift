import Locking
import TestSupport
import Testing

@Suite
struct LockTests {
    private static let threads = 4
    private static let rounds = 50_000

    /// Two numbers that are equal whenever the lock is free.
    struct Pair {
        var left = 0
        var right = 0

        mutating func grow() {
            left += 1
            right += 1
        }
    }

    @Test("A lock admits one thread at a time")
    func exclusion() {
        let pair = Lock(Pair())
        let mismatches = Lock(0)
        onThreads(Self.threads) { _ in
            for _ in 0..<Self.rounds {
                let isConsistent = pair.withLock { pair in
                    let isConsistent = pair.left == pair.right
                    pair.grow()
                    return isConsistent
                }
                if !isConsistent { mismatches.withLock { $0 += 1 } }
            }
        }
        #expect(mismatches.withLock { $0 } == 0)
        #expect(pair.withLock { [$0.left, $0.right] } == [Self.threads * Self.rounds, Self.threads * Self.rounds])
    }

    @Test("A lock makes the writes of one thread visible to the next")
    func handover() {
        final class Box { var numbers: [Int] = [] }
        struct Holder { let box = Box() }
        let holder = Lock(Holder())
        onThreads(Self.threads) { number in
            for _ in 0..<1_000 { holder.withLock { $0.box.numbers.append(number) } }
        }
        let counts = holder.withLock { holder in
            (0..<Self.threads).map { number in holder.box.numbers.count { $0 == number } }
        }
        #expect(counts == Array(repeating: 1_000, count: Self.threads))
    }

    /// A noncopyable value.
    struct Ticket: ~Copyable {
        let number: Int
    }

    @Test("A lock returns noncopyable results, each to one thread")
    func movedOut() {
        let next = Lock(0)
        let seen = Lock([Int](repeating: 0, count: 10_000))
        onThreads(Self.threads) { _ in
            for _ in 0..<2_500 {
                let ticket = next.withLock { next in
                    defer { next += 1 }
                    return Ticket(number: next)
                }
                seen.withLock { $0[ticket.number] += 1 }
            }
        }
        #expect(seen.withLock { $0.allSatisfy { $0 == 1 } })
    }

    @Test("A lock protects a noncopyable value")
    func heldOnce() {
        let ticket = Lock(Ticket(number: 1))
        ticket.withLock { $0 = Ticket(number: $0.number + 1) }
        #expect(ticket.withLock { $0.number } == 2)
    }

    struct NumberedError: Error, Equatable { let number: Int }

    @Test("A lock is released after a body that throws, and keeps its changes")
    func throwing() {
        let count = Lock(0)
        for number in 1...3 {
            let error = #expect(throws: NumberedError.self) {
                try count.withLock { count throws(NumberedError) in
                    count += 1
                    throw NumberedError(number: count)
                }
            }
            #expect(error == NumberedError(number: number))
        }
        // On another thread, where a lock that is still held would deadlock.
        onThreads(1) { _ in count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 4)
    }

    @Test("Threads whose bodies throw release the lock")
    func throwingInThreads() {
        let count = Lock(0)
        let caught = Lock(0)
        onThreads(Self.threads) { _ in
            for _ in 0..<5_000 {
                do throws(NumberedError) {
                    try count.withLock { count throws(NumberedError) in
                        count += 1
                        if count.isMultiple(of: 2) { throw NumberedError(number: count) }
                    }
                } catch {
                    caught.withLock { $0 += 1 }
                }
            }
        }
        #expect(count.withLock { $0 } == Self.threads * 5_000)
        #expect(caught.withLock { $0 } == Self.threads * 2_500)
    }
}
