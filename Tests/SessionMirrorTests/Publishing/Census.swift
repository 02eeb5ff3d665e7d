import Synchronization

/// How many objects of a test are alive.
final class Census: Sendable {
    private let count = Atomic<Int>(0)
    private let highest = Atomic<Int>(0)

    var alive: Int { count.load(ordering: .acquiring) }

    /// The most that were alive at a time.
    var most: Int { highest.load(ordering: .acquiring) }

    func born() { highest.max(count.add(1, ordering: .acquiringAndReleasing).newValue, ordering: .relaxed) }

    func died() { count.subtract(1, ordering: .acquiringAndReleasing) }
}

/// An object that is counted, and that tells readers who come too late: what it holds fits together only while it lives.
final class Counted: @unchecked Sendable {
    // Written once more while it is released, when nobody else may have it.
    private(set) var number: Int
    private var complement: Int
    private let census: Census
    private let onRelease: (@Sendable () -> Void)?

    init(_ number: Int, _ census: Census, onRelease: (@Sendable () -> Void)? = nil) {
        (self.number, complement, self.census, self.onRelease) = (number, ~number, census, onRelease)
        census.born()
    }

    deinit {
        onRelease?()
        (number, complement) = (0, 0)
        census.died()
    }

    var isWhole: Bool { number == ~complement }
}
