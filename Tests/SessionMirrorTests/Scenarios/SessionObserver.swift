import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// A session, with all changes and reports that it delivered.
final class SessionObserver<Root: Codable & Equatable & Sendable> {
    let session: Session<Root>
    let changes = Received<Change<Root>>()
    let reports = Received<MirrorReport>()
    private let first: Root
    private let tokens: [Subscription]

    init(_ session: Session<Root>) {
        self.session = session
        first = session[\.self]
        tokens = [
            session.observe(\.self) { [changes] in changes.add($0) },
            session.mirror.observe { [reports] in reports.add($0) },
        ]
    }

    var problems: [SessionProblem] {
        reports.items.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
    }

    var recoveries: [SessionProblem] {
        reports.items.compactMap { if case .recovered(let problem) = $0 { problem } else { nil } }
    }

    /// Whether the current value is the one that the subscriber received last, or the initial value.
    var isUpToDate: Bool { session[\.self] == changes.items.last?.new ?? first }

    /// Checks the guarantees for subscribers on all changes received so far.
    func checkChain(_ sourceLocation: SourceLocation = #_sourceLocation) {
        var (value, version) = (first, 1)
        for change in changes.items {
            #expect(change.old == value, sourceLocation: sourceLocation)
            #expect(change.new != change.old, sourceLocation: sourceLocation)
            #expect(change.version.number > version, sourceLocation: sourceLocation)
            #expect(change.origin == .external, sourceLocation: sourceLocation)
            (value, version) = (change.new, change.version.number)
        }
    }
}
