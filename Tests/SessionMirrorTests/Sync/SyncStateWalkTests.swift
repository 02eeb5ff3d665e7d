import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// Checks the guarantees after every sequence of file events.
@Suite("All sequences of file events", .enabled(if: !Sanitizer.findsRaces, "nothing here is concurrent"))
struct SyncStateWalkTests {
    /// When loads run, and how much time passes between events.
    enum Pace: String, CaseIterable {
        /// Loads immediately, and waits for the settling time.
        case calm
        /// Loads immediately, without waiting.
        case immediate
        /// Loads after the next event.
        case late
        /// Loads only after the last event.
        case atEnd
        /// Loads immediately, and waits for half the settling time.
        case steady
        /// A load begins immediately, and ends after the next event.
        case overtaken
    }

    /// The length of the sequences; `make torture-state` takes more. One more than those of saving, which cost more.
    private static let longest = (Thoroughness.longest ?? 4) + 1

    @Test("The final content is published and reported once for every sequence of events", arguments: Pace.allCases)
    func walk(_ pace: Pace) {
        var walked = 0
        extend(LoadingSimulation(), pace, left: Self.longest, order: [], &walked)
        let events = LoadingSimulation.Event.allCases.count
        let orders = (1...Self.longest).reduce((all: 0, longest: 1)) { orders, _ in
            (orders.all + orders.longest * events, orders.longest * events)
        }
        #expect(walked == orders.all)
    }

    private func extend(
        _ simulation: LoadingSimulation, _ pace: Pace, left: Int, order: [LoadingSimulation.Event], _ walked: inout Int
    ) {
        guard left > 0 else { return }
        for event in LoadingSimulation.Event.allCases {
            var next = simulation
            next.handle(event)
            switch pace {
            case .calm:
                next.load()
                next.wait(.seconds(2))
            case .immediate: next.load()
            case .late: if order.count % 2 == 1 { next.load() }
            case .atEnd: break
            case .overtaken:
                next.endLoad()
                next.beginLoad()
            case .steady:
                next.load()
                next.wait(.milliseconds(50))
            }
            walked += 1
            check(next, order + [event], pace)
            extend(next, pace, left: left - 1, order: order + [event], &walked)
        }
    }

    /// Lets the simulation settle, and checks the result.
    private func check(_ simulation: LoadingSimulation, _ order: [LoadingSimulation.Event], _ pace: Pace) {
        let neverSettles = pace != .calm && pace != .steady
        if neverSettles, simulation.history.reports.contains(where: \.isAboutIncompleteContent) {
            Issue.record("\(pace): \(order): incomplete content was rejected before the settling time")
        }
        var end = simulation
        while end.isLoadDue { end.load() }
        end.wait(.seconds(2))
        let name = { "\(pace): \(order.map(\.rawValue).joined(separator: ", "))" }
        if !end.history.violations.isEmpty { Issue.record("\(name()): \(end.history.violations)") }
        if end.isLoadDue { Issue.record("\(name()): a load is still due") }
        if end.state.status.content != end.expectedContent {
            Issue.record("\(name()): the status is \(end.state.status.content), not \(end.expectedContent)")
        }
        if end.file == .blank, end.history.snapshots.last?.json != [:] {
            Issue.record("\(name()): the last published snapshot is not empty like the file")
        }
        if neverSettles, simulation.history.snapshots.contains(where: { $0.json == [:] }) {
            Issue.record("\(name()): a text without a value was accepted before the settling time")
        }
        if case .text(let text) = end.file, end.history.snapshots.last?.document?.text != text {
            Issue.record("\(name()): the last published snapshot is not the content of the file")
        }
        if end.state.status.content.problem != lastProblem(of: end.history) {
            Issue.record("\(name()): the last reported problem is not the current one")
        }
    }

    private func lastProblem(of history: LoadingHistory) -> SessionProblem? {
        for report in history.reports.reversed() {
            switch report {
            case .problem(let problem): return problem
            case .recovered: return nil
            case .status: continue
            }
        }
        return nil
    }
}

extension MirrorReport {
    fileprivate var isAboutIncompleteContent: Bool {
        switch self {
        case .problem(let problem), .recovered(let problem): problem.code == .syntax
        case .status(let status): status.content == .missing || status.content.problem?.code == .syntax
        }
    }
}
