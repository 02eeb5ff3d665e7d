import Locking
import TestSupport
import Testing

@Suite("A lock")
struct LockTests {
    private static let threads = 4
    private static let rounds = 50_000

    /// Two numbers that are equal whenever nobody is inside.
    struct Pair {
        var left = 0
        var right = 0

        mutating func grow() {
            left += 1
            right += 1
        }
    }

    @Test("lets one thread in at a time")
    func exclusion() {
        let pair = Lock(Pair())
        let torn = Lock(0)
        onThreads(Self.threads) { _ in
            for _ in 0..<Self.rounds {
                let isWhole = pair.withLock { pair in
                    let isWhole = pair.left == pair.right
                    pair.grow()
                    return isWhole
                }
                if !isWhole { torn.withLock { $0 += 1 } }
            }
        }
        #expect(torn.withLock { $0 } == 0)
        #expect(pair.withLock { [$0.left, $0.right] } == [Self.threads * Self.rounds, Self.threads * Self.rounds])
    }

    @Test("shows each thread what the one before it left behind, in other memory too")
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

    /// A value of which there is only one.
    struct Ticket: ~Copyable {
        let number: Int
    }

    @Test("moves a result out that cannot be copied, each to one thread")
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

    @Test("holds a value that cannot be copied")
    func heldOnce() {
        let ticket = Lock(Ticket(number: 1))
        ticket.withLock { $0 = Ticket(number: $0.number + 1) }
        #expect(ticket.withLock { $0.number } == 2)
    }

    struct Refusal: Error, Equatable { let number: Int }

    @Test("is free again after a body that throws, which keeps what it had changed")
    func throwing() {
        let count = Lock(0)
        for number in 1...3 {
            let error = #expect(throws: Refusal.self) {
                try count.withLock { count throws(Refusal) in
                    count += 1
                    throw Refusal(number: count)
                }
            }
            #expect(error == Refusal(number: number))
        }
        // On another thread: whoever held it still would be let in again by no lock, and hang here.
        onThreads(1) { _ in count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 4)
    }

    @Test("throws out of many threads at once")
    func throwingInThreads() {
        let count = Lock(0)
        let caught = Lock(0)
        onThreads(Self.threads) { _ in
            for _ in 0..<5_000 {
                do throws(Refusal) {
                    try count.withLock { count throws(Refusal) in
                        count += 1
                        if count.isMultiple(of: 2) { throw Refusal(number: count) }
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
