internal import Locking

/// One who wants to hear what happens between a session and its file: gets every report, in order.
///
/// One that does not keep up loses the oldest beyond 1,024.
final class Listener: Sendable {
    private struct State {
        var reports: [NumberedReport] = []
        var hasBegun = false
        /// What has this number, or a smaller one, was said by what stood at the beginning.
        var last = 0
        var isCalled = false
        var isOver = false
    }

    private static let capacity = 1_024

    private let state = Lock(State())
    private let call: @Sendable (Listener) -> Void
    private let end: @Sendable () -> Void

    /// There is something to take: `call`, once until all of it was taken. There will be nothing more: `end`.
    init(call: @escaping @Sendable (Listener) -> Void, end: @escaping @Sendable () -> Void = {}) {
        self.call = call
        self.end = end
    }

    /// Begins with what stands after `number` reports, which is not to be heard twice. Reports that came before this wait.
    func begin(with standing: [MirrorReport], after number: Int) {
        change { state in
            let standing = standing.map { NumberedReport(number: number, report: $0) }
            state.reports = standing + state.reports.filter { $0.number > number }
            state.hasBegun = true
            state.last = number
        }
    }

    func tell(_ report: NumberedReport) {
        change { state in
            if report.number <= state.last { return }
            state.reports.append(report)
            if state.reports.count > Listener.capacity { state.reports.removeFirst() }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let isToBeCalled = state.withLock { state in
            if state.isOver { return false }
            body(&state)
            guard state.hasBegun, !state.isCalled, !state.reports.isEmpty else { return false }
            state.isCalled = true
            return true
        }
        if isToBeCalled { call(self) }
    }

    /// The oldest that was not taken; nil if there is none, and then the next report calls.
    func take() -> MirrorReport? {
        state.withLock { state in
            guard !state.reports.isEmpty, !state.isOver else {
                state.isCalled = false
                return nil
            }
            return state.reports.removeFirst().report
        }
    }

    /// Nothing more is wanted.
    func cancel() {
        state.withLock { $0.isOver = true }
        end()
    }

    /// Nothing more will come; what was not taken can still be.
    func finish() { end() }
}
