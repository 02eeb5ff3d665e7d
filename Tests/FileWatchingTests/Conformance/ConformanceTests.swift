import FileWatching
import Foundation
import TestSupport
import Testing

/// The promise of the module, in full: every scenario before every way to watch.
@Suite("Whatever is done to a file, however it is watched")
struct ConformanceTests {
    @Test("is told", .tallied(by: Self.tally), arguments: try ConformanceCase.all())
    func conformance(_ item: ConformanceCase) async throws {
        if let complaint = item.scenario.needs.complaint {
            Self.tally.count(.skipped)
            try Need.skip(item.testDescription, complaint)
        }
        try await Self.gate.pass { try ConformanceRun(item).play() }
        Self.tally.count(.played)
    }

    @Test("is written down, each way under a name of its own") func scenarios() throws {
        let scenarios = try Scenario.all() + Scenario.ofTheWatch()
        #expect(Set(scenarios.map(\.name)).count == scenarios.count)
        #expect(scenarios.count == 194)
        for scenario in scenarios {
            let isChecked = scenario.steps.contains {
                switch $0 {
                case .expect, .silent, .events: true
                default: false
                }
            }
            #expect(isChecked, "\(scenario.name) expects something")
        }
        #expect(scenarios.count { $0.steps.contains { if case .events = $0 { true } else { false } } } >= 15)
    }

    private static let tally = Tally()
    /// Each takes a process of its own and waits most of its time, but inotify's instances are few.
    private static let gate = Gate(width: 8)
}

/// A scenario and a way to watch.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let backend: FileWatchBackend

    /// The ways that this package is built with.
    static var backends: [FileWatchBackend] {
        #if InotifyTools
        FileWatchBackend.allCases
        #else
        FileWatchBackend.allCases.filter { $0 != .inotifyTools }
        #endif
    }

    /// Every scenario by every one of them. With a sanitizer, whose programs take several times as long, each by one, in
    /// turns.
    static func all() throws -> [ConformanceCase] {
        try (Scenario.all() + Scenario.ofTheWatch()).enumerated().flatMap { number, scenario in
            let chosen = Sanitizer.isAtWork ? [backends[number % backends.count]] : backends
            return chosen.map { ConformanceCase(scenario: scenario, backend: $0) }
        }
    }

    var testDescription: String { "\(scenario.name), by \(backend.rawValue)" }
}

/// Runs work that blocks on threads of its own, so many at once.
///
/// The tests' own threads are as many as processors, and cases that wait would keep them from those that could work.
actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) { free = width }

    nonisolated func pass(_ work: @escaping @Sendable () throws -> Void) async throws {
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
