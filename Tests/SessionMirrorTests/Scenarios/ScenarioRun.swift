import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// One scenario, played before two sessions of its file: a typed one as programs have it, and one of any JSON that is so
/// patient that it must never take a program for a mistake, however slow the machine is.
final class ScenarioRun {
    private let scenario: Scenario
    private let place: ScenarioPlace
    private let typed: Onlooker<Server>
    private let patient: Onlooker<JSON>
    private var beside: [(lines: String, program: RunningProgram)] = []
    private var looks = (typed: 0, patient: 0)

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        place = try ScenarioPlace(for: scenario)
        try place.run(scenario.before ?? "put 1 > server.json")
        let path = place.folder.path(of: scenario.file)
        var options = SessionOptions()
        options.settlingTime = .seconds(120)
        options.settlingLimit = .seconds(120)
        patient = Onlooker(try Session<JSON>([:], at: path, options: options))
        typed = Onlooker(try Session(Server(), at: path))
    }

    func play() throws {
        for (step, number) in scenario.course { try play(step, number) }
        for (lines, program) in beside { try program.requireSuccess(of: lines) }
        try checkTheEnd()
    }

    private func play(_ step: Scenario.Step, _ number: Int?) throws {
        switch step {
        // The session is watched by its own process, which must not stand still.
        case .run(let lines), .held(let lines), .silent(let lines):
            noteLooks()
            try place.run(lines, number: number)
        case .beside(let lines):
            noteLooks()
            beside.append((lines, try place.start(lines, number: number)))
        case .expect(let expectation): try check(expectation, number)
        case .events: break
        }
    }

    private func noteLooks() {
        looks = (typed.session.mirror.metrics.looks, patient.session.mirror.metrics.looks)
    }

    private func check(_ expectation: Scenario.Expectation, _ number: Int?) throws {
        switch expectation {
        case .value(let text): try checkValue(text.replacing("$N", with: "\(number ?? 0)"))
        case .missing: eventually("it is missing") { typed.session.mirror.status.content == .missing }
        case .problem(let code, let place): checkProblem(code, place)
        case .live: eventually("it is watched") { typed.session.mirror.status.watching == .live }
        case .polling: eventually("it is polled") { typed.session.mirror.status.watching != .live }
        case .recovered: eventually("the recovery is told") { !typed.recoveries.isEmpty }
        case .looked:
            eventually("it was looked at") {
                typed.session.mirror.metrics.looks > looks.typed && patient.session.mirror.metrics.looks > looks.patient
            }
        }
    }

    private func checkProblem(_ code: String, _ place: String?) {
        eventually("the problem is told") {
            guard let problem = typed.session.mirror.status.content.standing else { return false }
            return problem.code.rawValue == code && (place == nil || problem.location?.description == place)
        }
        eventually("by a report") { typed.session.mirror.status.content.standing == typed.problems.last }
    }

    private func checkValue(_ text: String) throws {
        let json = try JSON(parsing: text)
        eventually("\(text) arrives in the typed session") {
            typed.session.snapshot.json == json && typed.session.port == json["port"]?.int && typed.isUpToDate
        }
        eventually("\(text) arrives in the session of any JSON") {
            patient.session[\.self] == json && patient.isUpToDate
        }
    }

    /// One more plain edit arrives, and nothing was wrong with what came before.
    private func checkTheEnd() throws {
        try place.run(#"put 4711 > "$FILE""#)
        try checkValue(#"{ "port": 4711 }"#)
        eventually("both files are good") {
            typed.session.mirror.status.content == .good && patient.session.mirror.status.content == .good
        }
        typed.checkChain()
        patient.checkChain()
        #expect(patient.problems == [], "a patient session sees no problem")
        #expect(typed.session.mirror.status.watching == .live)
        if let after = scenario.after { try place.run(after) }
        #expect(try place.processesLeft() == [])
    }
}
