import FileWatching
import Foundation
import TestSupport

/// Plays one scenario while a process watches its file with one backend.
///
/// It runs on its own thread, where tests cannot record issues, so failures are thrown.
final class ConformanceRun {
    private let scenario: Scenario
    private let backend: FileWatchBackend
    private let environment: ScenarioEnvironment
    private let watcher: WatchingProcess
    private var beside: [(lines: String, program: RunningProgram)] = []
    /// The number of reported changes when the last step began.
    private var changeCount = 0
    private var isPolled = false
    /// The current iteration of a loop.
    private var round: Int?

    init(_ item: ConformanceCase) throws {
        (scenario, backend) = (item.scenario, item.backend)
        environment = try ScenarioEnvironment(for: scenario)
        watcher = try WatchingProcess(of: scenario, by: backend, at: environment)
    }

    func play() throws {
        do {
            try playAll()
        } catch {
            // The mounts of the scenario must not remain.
            if let after = scenario.after { try? environment.run(after) }
            throw error
        }
    }

    private func playAll() throws {
        try environment.run(scenario.before ?? "put 1 > server.json")
        try watcher.watch()
        if scenario.isRelative { try watcher.move(to: "/") }
        for (step, number) in scenario.unrolledSteps { try play(step, number) }
        for (lines, program) in beside where scenario.after == nil { try program.requireSuccess(of: lines) }
        try checkFinalEdit()
    }

    private func play(_ step: Scenario.Step, _ number: Int?) throws {
        switch step {
        case .run(let lines):
            // Polling cannot detect what appears and disappears between two checks, so each change is detected before
            // the next one. Iterations of a loop differ, so no wait is needed between them.
            let isNew = number != round
            round = number
            if backend == .polling, !isNew, beside.isEmpty { try watcher.waitUntilIdle() }
            changeCount = watcher.changeCount
            try environment.run(lines, number: number)
        case .beside(let lines):
            changeCount = watcher.changeCount
            beside.append((lines, try environment.start(lines, number: number)))
        case .held(let lines): try hold(lines, number)
        case .silent(let lines):
            guard try watcher.isSilent(while: { try environment.run(lines, number: number) }) else {
                throw TestSupportError("a change was reported by: \(lines); found: \(watcher.found ?? "nothing")")
            }
        case .expect(let expectation): try check(expectation, number)
        case .events(let expected): try check(expected)
        }
    }

    private func hold(_ lines: String, _ number: Int?) throws {
        // Late reports of the previous steps must not count for this one. And a process that is stopped while it has a
        // file open would prevent an unmount.
        try watcher.waitUntilIdle()
        if backend != .polling { try watcher.record() }
        changeCount = watcher.changeCount
        try watcher.hold { try environment.run(lines, number: number) }
    }
}

extension ConformanceRun {
    private func check(_ expected: [InotifyLine]) throws {
        if backend == .polling { return }
        try watcher.waitUntilIdle()
        let reported = InotifyLine.normalized(try watcher.events(in: environment.folder), expected: expected)
        if reported == expected { return }
        let lines = reported.map { "    \($0)" }.joined(separator: "\n")
        throw TestSupportError("inotify reported other events:\n\(lines)")
    }

    private func check(_ expectation: Scenario.Expectation, _ number: Int?) throws {
        switch expectation {
        case .value(let text): try checkValue(text.replacing("$N", with: "\(number ?? 0)"))
        case .missing: try watcher.wait("the missing file") { watcher.found == "missing" }
        case .problem, .recovered, .reloaded: try watcher.wait("a change") { watcher.changeCount > changeCount }
        case .live: try checkStatus(isPolled: false)
        case .polling: try checkStatus(isPolled: true)
        }
    }

    /// The file may be formatted differently.
    private func checkValue(_ text: String) throws {
        let value = try Self.value(of: text)
        try watcher.wait(text) {
            guard let found = watcher.found, found.hasPrefix("text ") else { return false }
            return (try? Self.value(of: String(found.dropFirst("text ".count)))) == value
        }
    }

    /// Parses JSON with lines of comments.
    private static func value(of text: String) throws -> NSObject? {
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        let data = Data(lines.joined(separator: "\n").utf8)
        return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? NSObject
    }

    private func checkStatus(isPolled: Bool) throws {
        self.isPolled = isPolled
        let expected = isPolled || backend == .polling ? "polling polling" : "\(backend.rawValue) live"
        try watcher.wait(expected) { try watcher.status().hasPrefix(expected) }
    }

    /// Checks that one more plain edit is reported, and the status.
    private func checkFinalEdit() throws {
        try environment.run(#"mkdir -p -- "$(dirname -- "$FILE")"; put 4711 > "$FILE""#)
        try checkValue(#"{ "port": 4711 }"#)
        try checkStatus(isPolled: isPolled)
        if let after = scenario.after {
            try environment.run(after)
            for (lines, program) in beside { try program.requireSuccess(of: lines) }
        }
        try watcher.end()
        try checkNoProcessRemains()
    }

    /// The server of an unmounted file system needs a moment to exit.
    private func checkNoProcessRemains() throws {
        var left: [String] = []
        for _ in 0..<500 {
            left = try environment.processesLeft()
            if left.isEmpty { return }
            usleep(10_000)
        }
        throw TestSupportError("processes still running: \(left)")
    }
}
