import Locking
import TestSupport
import Testing

/// Counts the cases that were really played, because a case that is never played would pass.
final class ScenarioCount: Sendable {
    enum Result { case played, skipped }

    private let counts = Lock((played: 0, skipped: 0))

    func add(_ result: Result) {
        counts.withLock {
            switch result {
            case .played: $0.played += 1
            case .skipped: $0.skipped += 1
            }
        }
    }

    /// Prints and checks the sum after all cases.
    fileprivate func check() throws {
        let (played, skipped) = counts.withLock { $0 }
        let all = try ConformanceCase.all().count
        let backends = Sanitizer.isActive ? 1 : ConformanceCase.backends.count
        print("\(all / backends) scenarios × \(backends) backends = \(played) played, \(skipped) skipped")
        #expect(played + skipped == all, "every case is played or skipped")
        if Programs.skipsAreFailures { #expect(skipped == 0) }
    }
}

/// Checks the count of a test after all of its cases.
struct ScenarioCountTrait: TestTrait, TestScoping {
    fileprivate let count: ScenarioCount

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? self : nil }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await function()
        try count.check()
    }
}

extension Trait where Self == ScenarioCountTrait {
    static func counted(by count: ScenarioCount) -> Self { ScenarioCountTrait(count: count) }
}
