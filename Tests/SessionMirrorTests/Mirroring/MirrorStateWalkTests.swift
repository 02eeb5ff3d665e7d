import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// Every order of what can happen to a file, against the promises of the mirror.
@Suite("Every order of events") struct MirrorStateWalkTests {
    /// When the looks are made, and how much time passes between two events.
    enum Pace: String, CaseIterable {
        /// A look at once, and all the time that settling needs.
        case calm
        /// A look at once, and no time.
        case hasty
        /// The look comes after the next event.
        case late
        /// No look before the last event.
        case blind
        /// A look at once, and half the settling time.
        case steady
        /// A look begins at once, and ends after the next event.
        case overtaken
    }

    private static let longest = Thoroughness.isFull ? 6 : 5

    @Test("the file's last word is mirrored, told once, and in order", arguments: Pace.allCases)
    func walk(_ pace: Pace) {
        var walked = 0
        extend(WalkedWorld(), pace, left: Self.longest, order: [], &walked)
        let orders = (1...Self.longest).reduce((all: 0, longest: 1)) { orders, _ in
            (orders.all + orders.longest * 8, orders.longest * 8)
        }
        #expect(walked == orders.all)
    }

    private func extend(
        _ world: WalkedWorld, _ pace: Pace, left: Int, order: [WalkedWorld.Event], _ walked: inout Int
    ) {
        guard left > 0 else { return }
        for event in WalkedWorld.Event.allCases {
            var next = world
            next.happen(event)
            switch pace {
            case .calm:
                next.look()
                next.wait(.seconds(2))
            case .hasty: next.look()
            case .late: if order.count % 2 == 1 { next.look() }
            case .blind: break
            case .overtaken:
                next.endLook()
                next.beginLook()
            case .steady:
                next.look()
                next.wait(.milliseconds(50))
            }
            walked += 1
            judge(next, order + [event], pace)
            extend(next, pace, left: left - 1, order: order + [event], &walked)
        }
    }

    /// Lets everything come to rest, and compares.
    private func judge(_ world: WalkedWorld, _ order: [WalkedWorld.Event], _ pace: Pace) {
        let isHasty = pace != .calm && pace != .steady
        if isHasty, world.history.reports.contains(where: \.isAboutUnfinished) {
            Issue.record("\(pace): \(order): unfinished content was refused before its time")
        }
        var end = world
        while end.isLookDue { end.look() }
        end.wait(.seconds(2))
        let name = { "\(pace): \(order.map(\.rawValue).joined(separator: ", "))" }
        if !end.history.complaints.isEmpty { Issue.record("\(name()): \(end.history.complaints)") }
        if end.isLookDue { Issue.record("\(name()): a look is still due") }
        if end.state.status.content != end.expectedContent {
            Issue.record("\(name()): the status is \(end.state.status.content), not \(end.expectedContent)")
        }
        if case .text(let text) = end.file, end.history.editions.last?.document?.text != text {
            Issue.record("\(name()): not what the file says was published last")
        }
        if end.state.status.content.problem != lastProblem(of: end.history) {
            Issue.record("\(name()): not the problem that stands was told last")
        }
    }

    private func lastProblem(of history: History) -> Problem? {
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
    fileprivate var isAboutUnfinished: Bool {
        switch self {
        case .problem(let problem), .recovered(let problem): problem.code == .syntax
        case .status(let status): status.content == .missing || status.content.problem?.code == .syntax
        }
    }
}
