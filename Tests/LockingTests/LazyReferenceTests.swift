import Locking
import Synchronization
import TestSupport
import Testing

@Suite("Lazy references") struct LazyReferenceTests {
    private final class Number: Sendable {
        let value: Int
        let instances: InstanceCount

        init(_ value: Int, _ instances: InstanceCount) {
            self.value = value
            self.instances = instances
            instances.count.add(1, ordering: .relaxed)
        }

        deinit { instances.count.subtract(1, ordering: .relaxed) }
    }

    private final class InstanceCount: Sendable {
        let count = Atomic(0)
    }

    private final class Location: Sendable {
        let reference = LazyReference<Number>()
    }

    @Test("All threads get the same reference, and other candidates are released") func race() {
        let instances = InstanceCount()
        for _ in 0..<500 {
            let location = Location()
            let seen = Lock<Set<Int>>([])
            onThreads(3) { thread in
                let value =
                    location.reference.load()?.value ?? location.reference.storeIfNil(Number(thread, instances)).value
                seen.withLock { _ = $0.insert(value) }
            }
            #expect(seen.withLock { $0.count } == 1)
            #expect(instances.count.load(ordering: .relaxed) == 1)
        }
        #expect(instances.count.load(ordering: .relaxed) == 0)
    }

    @Test("A lazy reference is nil at first") func empty() {
        let location = Location()
        #expect(location.reference.load() === nil)
    }
}
