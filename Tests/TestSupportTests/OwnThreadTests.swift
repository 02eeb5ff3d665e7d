import Locking
import Testing

@testable import TestSupport

@Suite("tests on threads of their own") struct OwnThreadTests {
    @Test("More tests than there are processors may wait for each other")
    func blocking() async {
        let count = 16
        let waiting = Lock(0)
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    await OwnThread.run {
                        waiting.withLock { $0 += 1 }
                        block(until: { waiting.withLock { $0 } == count })
                    }
                }
            }
        }
        #expect(waiting.withLock { $0 } == count)
    }
}

private func block(until condition: () -> Bool) { eventually("all wait", condition) }
