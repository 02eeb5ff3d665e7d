import Synchronization

/// Counts the live objects of a test.
final class InstanceCounter: Sendable {
    private let count = Atomic<Int>(0)
    private let highest = Atomic<Int>(0)

    var alive: Int { count.load(ordering: .acquiring) }

    /// The maximum number of objects alive at a time.
    var most: Int { highest.load(ordering: .acquiring) }

    func created() { highest.max(count.add(1, ordering: .acquiringAndReleasing).newValue, ordering: .relaxed) }

    func released() { count.subtract(1, ordering: .acquiringAndReleasing) }
}

/// A counted object that detects a use after release: its fields are consistent only while it is alive.
final class Counted: @unchecked Sendable {
    // Written once more during deinit.
    private(set) var number: Int
    private var complement: Int
    private let counter: InstanceCounter
    private let onRelease: (@Sendable () -> Void)?

    init(_ number: Int, _ counter: InstanceCounter, onRelease: (@Sendable () -> Void)? = nil) {
        (self.number, complement, self.counter, self.onRelease) = (number, ~number, counter, onRelease)
        counter.created()
    }

    deinit {
        onRelease?()
        (number, complement) = (0, 0)
        counter.released()
    }

    var isWhole: Bool { number == ~complement }
}
