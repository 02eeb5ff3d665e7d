import FileWatching
import Glibc
import LosslessJSON
import TestSupport

/// One scenario, played before a process that watches its file in one way.
///
/// It works on a thread of its own, where the tests cannot note what fails: so it throws.
final class ConformanceRun {
    private let scenario: Scenario
    private let backend: FileWatchBackend
    private let place: ScenarioPlace
    private let watcher: Watcher
    private var beside: [(lines: String, program: RunningProgram)] = []
    /// How often it had been told to look when the last step began.
    private var looks = 0
    private var isPolled = false
    /// Of a loop.
    private var round: Int?

    init(_ item: ConformanceCase) throws {
        (scenario, backend) = (item.scenario, item.backend)
        place = try ScenarioPlace(for: scenario)
        watcher = try Watcher(of: scenario, by: backend, at: place)
    }

    func play() throws {
        do {
            try playAll()
        } catch {
            // What it mounts must not outlive it.
            if let after = scenario.after { try? place.run(after) }
            throw error
        }
    }

    private func playAll() throws {
        try place.run(scenario.before ?? "put 1 > server.json")
        try watcher.watch()
        if scenario.isRelative { try watcher.move(to: "/") }
        for (step, number) in scenario.course { try play(step, number) }
        for (lines, program) in beside where scenario.after == nil { try program.requireSuccess(of: lines) }
        try checkTheEnd()
    }

    private func play(_ step: Scenario.Step, _ number: Int?) throws {
        switch step {
        case .run(let lines):
            // What comes and goes between two looks cannot be seen. Each round of a loop begins with something new.
            let isNew = number != round
            round = number
            if backend == .polling, !isNew, beside.isEmpty { try watcher.comeToRest() }
            looks = watcher.looks
            try place.run(lines, number: number)
        case .beside(let lines):
            looks = watcher.looks
            beside.append((lines, try place.start(lines, number: number)))
        case .held(let lines): try hold(lines, number)
        case .silent(let lines):
            guard try watcher.isSilent(while: { try place.run(lines, number: number) }) else {
                throw SystemRefusal("somebody was woken by: \(lines); found: \(watcher.found ?? "nothing")")
            }
        case .expect(let expectation): try check(expectation, number)
        case .events(let expected): try check(expected)
        }
    }

    private func hold(_ lines: String, _ number: Int?) throws {
        // What is told late of the steps before belongs to them. And who has to stand still while a file is open keeps the
        // file system from being unmounted.
        try watcher.comeToRest()
        if backend != .polling { try watcher.note() }
        looks = watcher.looks
        try watcher.hold { try place.run(lines, number: number) }
    }
}

extension ConformanceRun {
    private func check(_ expected: [InotifyLine]) throws {
        if backend == .polling { return }
        try watcher.comeToRest()
        let told = InotifyLine.normalForm(of: try watcher.events(in: place.folder), beside: expected)
        if told == expected { return }
        let lines = told.map { "    \($0)" }.joined(separator: "\n")
        throw SystemRefusal("inotify told other things:\n\(lines)")
    }

    private func check(_ expectation: Scenario.Expectation, _ number: Int?) throws {
        switch expectation {
        case .value(let text): try checkValue(text.replacing("$N", with: "\(number ?? 0)"))
        case .missing: try watcher.wait("that it is missing") { watcher.found == "missing" }
        case .problem, .recovered, .looked: try watcher.wait("a look") { watcher.looks > looks }
        case .live: try checkStatus(isPolled: false)
        case .polling: try checkStatus(isPolled: true)
        }
    }

    /// The text may be laid out in another way.
    private func checkValue(_ text: String) throws {
        let json = try JSON(parsing: text)
        try watcher.wait(text) {
            guard let found = watcher.found, found.hasPrefix("text ") else { return false }
            return (try? JSON(parsing: String(found.dropFirst("text ".count)))) == json
        }
    }

    private func checkStatus(isPolled: Bool) throws {
        self.isPolled = isPolled
        let expected = isPolled || backend == .polling ? "polling polling" : "\(backend.rawValue) live"
        try watcher.wait(expected) { try watcher.status().hasPrefix(expected) }
    }

    /// One more plain edit is told, and the watch is what it should be.
    private func checkTheEnd() throws {
        try place.run(#"mkdir -p -- "$(dirname -- "$FILE")"; put 4711 > "$FILE""#)
        try checkValue(#"{ "port": 4711 }"#)
        try checkStatus(isPolled: isPolled)
        if let after = scenario.after {
            try place.run(after)
            for (lines, program) in beside { try program.requireSuccess(of: lines) }
        }
        try watcher.end()
        try checkNothingIsLeft()
    }

    /// Who serves a file system that was unmounted needs a moment to end.
    private func checkNothingIsLeft() throws {
        var left: [String] = []
        for _ in 0..<500 {
            left = try place.processesLeft()
            if left.isEmpty { return }
            usleep(10_000)
        }
        throw SystemRefusal("still there: \(left)")
    }
}
