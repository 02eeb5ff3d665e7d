import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// A session with everything that it told.
final class Onlooker<Root: Codable & Equatable & Sendable> {
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

    var problems: [Problem] { reports.items.compactMap { if case .problem(let problem) = $0 { problem } else { nil } } }

    var recoveries: [Problem] {
        reports.items.compactMap { if case .recovered(let problem) = $0 { problem } else { nil } }
    }

    /// Whether the value of now is what the subscriber heard last, or found at first.
    var isUpToDate: Bool { session[\.self] == changes.items.last?.new ?? first }

    /// What a subscriber may rely on, for all that came until now.
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
