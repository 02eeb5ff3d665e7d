import Locking
import TestSupport
import Testing

/// How many cases were really played: a case that nobody plays would pass.
final class Tally: Sendable {
    enum Outcome { case played, skipped }

    private let counts = Lock((played: 0, skipped: 0))

    func count(_ outcome: Outcome) {
        counts.withLock {
            switch outcome {
            case .played: $0.played += 1
            case .skipped: $0.skipped += 1
            }
        }
    }

    /// Prints and checks the sum, when all cases are through.
    fileprivate func check() throws {
        let (played, skipped) = counts.withLock { $0 }
        let all = try ConformanceCase.all().count
        let backends = Sanitizer.isAtWork ? 1 : ConformanceCase.backends.count
        print("\(all / backends) scenarios × \(backends) backends = \(played) played, \(skipped) skipped")
        #expect(played + skipped == all, "every case is played or skipped")
        if Programs.nothingMayBeSkipped { #expect(skipped == 0) }
    }
}

/// Checks the tally of a test when all its cases are through.
struct TallyTrait: TestTrait, TestScoping {
    fileprivate let tally: Tally

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? self : nil }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await function()
        try tally.check()
    }
}

extension Trait where Self == TallyTrait {
    static func tallied(by tally: Tally) -> Self { TallyTrait(tally: tally) }
}
