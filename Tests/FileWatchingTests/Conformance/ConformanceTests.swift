import FileWatching
import Foundation
import TestSupport
import Testing

/// Every scenario with every backend.
@Suite("Scenarios with each backend")
struct ConformanceTests {
    @Test(
        "Each backend reports the changes of each scenario", .counted(by: Self.scenarioCount),
        arguments: try ConformanceCase.all())
    func conformance(_ item: ConformanceCase) async throws {
        if let reason = item.scenario.needs.missingReason {
            Self.scenarioCount.add(.skipped)
            try Requirement.skip(item.testDescription, reason)
        }
        try await Self.limit.run { try ConformanceRun(item).play() }
        Self.scenarioCount.add(.played)
    }

    @Test("Each scenario has a unique name and at least one expectation") func scenarios() throws {
        let scenarios = try Scenario.all() + Scenario.watchOnly()
        #expect(Set(scenarios.map(\.name)).count == scenarios.count)
        if Scenario.areAllSelected { #expect(try scenarios.count == Scenario.countInFiles()) }
        for scenario in scenarios {
            let isChecked = scenario.steps.contains {
                switch $0 {
                case .expect, .silent, .events: true
                default: false
                }
            }
            #expect(isChecked, "\(scenario.name): no expectation")
        }
    }

    private static let scenarioCount = ScenarioCount()
    /// Each case starts a process that mostly waits, but inotify instances are limited.
    private static let limit = ConcurrentCaseLimit(8)
}

/// A scenario and a backend.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let backend: FileWatchBackend

    /// The backends that this package is built with.
    static var backends: [FileWatchBackend] {
        #if InotifyTools
        FileWatchBackend.allCases
        #else
        FileWatchBackend.allCases.filter { $0 != .inotifyTools }
        #endif
    }

    /// Every scenario with every backend. With a sanitizer, which makes programs several times slower, every scenario
    /// with one backend, in turns.
    static func all() throws -> [ConformanceCase] {
        try (Scenario.all() + Scenario.watchOnly()).enumerated().flatMap { number, scenario in
            let chosen = Sanitizer.isActive ? [backends[number % backends.count]] : backends
            return chosen.map { ConformanceCase(scenario: scenario, backend: $0) }
        }
    }

    var testDescription: String { "\(scenario.name), by \(backend.rawValue)" }
}

/// Runs the blocking work of cases on separate threads, a limited number at a time.
///
/// The test runner has as many threads as processors, and waiting cases would block those that could run.
actor ConcurrentCaseLimit {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func run(_ work: @escaping @Sendable () throws -> Void) async throws {
        await enter()
        let result = await withCheckedContinuation { done in
            Thread.detachNewThread { done.resume(returning: Result { try work() }) }
        }
        await leave()
        try result.get()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
