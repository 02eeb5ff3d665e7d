import Locking
import Synchronization
import TestSupport
import Testing

@Suite("A reference that is stored once") struct LazyReferenceTests {
    private final class Number: Sendable {
        let value: Int
        let living: Living

        init(_ value: Int, _ living: Living) {
            self.value = value
            self.living = living
            living.count.add(1, ordering: .relaxed)
        }

        deinit { living.count.subtract(1, ordering: .relaxed) }
    }

    private final class Living: Sendable {
        let count = Atomic(0)
    }

    private final class Place: Sendable {
        let reference = LazyReference<Number>()
    }

    @Test("is the same for all threads, whoever is first, and nothing else is kept") func race() {
        let living = Living()
        for _ in 0..<500 {
            let place = Place()
            let seen = Lock<Set<Int>>([])
            onThreads(3) { thread in
                let value = place.reference.load()?.value ?? place.reference.storeIfNil(Number(thread, living)).value
                seen.withLock { _ = $0.insert(value) }
            }
            #expect(seen.withLock { $0.count } == 1)
            #expect(living.count.load(ordering: .relaxed) == 1)
        }
        #expect(living.count.load(ordering: .relaxed) == 0)
    }

    @Test("is nil at first") func empty() {
        let place = Place()
        #expect(place.reference.load() === nil)
    }
}
