import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// Runs one scenario with two sessions of its file: a typed one, and one of JSON whose settling time is so long
/// that it must never report incomplete content, however slow the machine is.
final class ScenarioRun {
    private let scenario: Scenario
    private let environment: ScenarioEnvironment
    private let typed: SessionObserver<Server>
    private let unhurried: SessionObserver<JSON>
    private var backgroundPrograms: [(lines: String, program: RunningProgram)] = []
    private var loads = (typed: 0, unhurried: 0)

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        environment = try ScenarioEnvironment(for: scenario)
        try environment.run(scenario.before ?? "put 1 > server.json")
        let path = environment.folder.path(of: scenario.file)
        var options = SessionOptions()
        options.settlingTime = .seconds(120)
        options.settlingLimit = .seconds(120)
        unhurried = SessionObserver(try Session<JSON>([:], at: path, options: options))
        typed = SessionObserver(try Session(Server(), at: path))
    }

    func play() throws {
        for (step, number) in scenario.unrolledSteps { try play(step, number) }
        for (lines, program) in backgroundPrograms { try program.requireSuccess(of: lines) }
        try checkFinalEdit()
    }

    private func play(_ step: Scenario.Step, _ number: Int?) throws {
        switch step {
        // This process watches for the session and must not be stopped.
        case .run(let lines), .held(let lines), .silent(let lines):
            recordLoads()
            try environment.run(lines, number: number)
        case .beside(let lines):
            recordLoads()
            backgroundPrograms.append((lines, try environment.start(lines, number: number)))
        case .expect(let expectation): try check(expectation, number)
        case .events: break
        }
    }

    private func recordLoads() {
        loads = (typed.session.mirror.metrics.loads, unhurried.session.mirror.metrics.loads)
    }

    private func check(_ expectation: Scenario.Expectation, _ number: Int?) throws {
        switch expectation {
        case .value(let text): try checkValue(text.replacing("$N", with: "\(number ?? 0)"))
        case .missing: eventually("the file is missing") { typed.session.mirror.status.content == .missing }
        case .problem(let code, let location): checkProblem(code, location)
        case .live: eventually("the file is watched") { typed.session.mirror.status.watching == .live }
        case .polling: eventually("the file is polled") { typed.session.mirror.status.watching != .live }
        case .recovered: eventually("the recovery is reported") { !typed.recoveries.isEmpty }
        case .reloaded:
            eventually("both sessions load the file") {
                typed.session.mirror.metrics.loads > loads.typed
                    && unhurried.session.mirror.metrics.loads > loads.unhurried
            }
        }
    }

    private func checkProblem(_ code: String, _ location: String?) {
        eventually("the status has the problem") {
            guard let problem = typed.session.mirror.status.content.problem else { return false }
            return problem.code.name == code && (location == nil || problem.location?.description == location)
        }
        eventually("the problem is reported") {
            typed.session.mirror.status.content.problem == typed.problems.last
        }
    }

    private func checkValue(_ text: String) throws {
        let json = try JSON(parsing: text)
        eventually("\(text) is loaded by the typed session") {
            typed.session.snapshot.json == json && typed.session.port == json["port"]?.int && typed.isUpToDate
        }
        eventually("\(text) is loaded by the session of JSON") {
            unhurried.session[\.self] == json && unhurried.isUpToDate
        }
    }

    /// Checks that a final edit is loaded, and that the sessions kept all guarantees.
    private func checkFinalEdit() throws {
        try environment.run(#"put 4711 > "$FILE""#)
        try checkValue(#"{ "port": 4711 }"#)
        eventually("both sessions find the file valid") {
            typed.session.mirror.status.content == .good && unhurried.session.mirror.status.content == .good
        }
        typed.checkChain()
        unhurried.checkChain()
        #expect(unhurried.problems == [], "a session with a long settling time reported a problem")
        #expect(typed.session.mirror.status.watching == .live)
        if let after = scenario.after { try environment.run(after) }
        #expect(try environment.processesLeft() == [])
    }
}
