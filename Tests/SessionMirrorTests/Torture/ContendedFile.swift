import SessionMirror
import TestSupport
import Testing

/// A file with many writers, and a session of it that stays open and has a subscriber of each kind.
final class ContendedFile: Sendable {
    let session: Session<PairedValue>
    let transientSubscriber: TransientSubscriber
    private let name: String
    private let folder: TemporaryFolder
    private let checker: ConsistencyChecker
    private let token: Subscription
    private let loop: Task<Void, Never>

    init(_ folder: TemporaryFolder, _ name: String, violations: Received<String>) throws {
        try folder.write(name, PairedValue(1_000_000).text)
        session = try Session(PairedValue(0), at: folder.path(of: name), check: PairedValue.check)
        (self.folder, self.name) = (folder, name)
        transientSubscriber = TransientSubscriber(session: session, violations: violations)
        let checker = ConsistencyChecker(violations: violations)
        token = session.observe(\.self) { checker.receive($0) }
        loop = Task { [transientSubscriber] in await transientSubscriber.loop() }
        self.checker = checker
    }

    var path: String { folder.path(of: name) }

    /// Makes one of several kinds of edits. Other writers write or remove the file at the same time.
    func edit(_ number: Int) throws {
        let text = PairedValue(1_000_000 + number).text
        switch number / 3 % 5 {
        case 0, 1: try folder.write(name, text)
        case 2:
            try folder.write("\(name).\(number)", text)
            try folder.rename("\(name).\(number)", to: name)
        case 3:
            try folder.write(name, String(text.dropLast(10)))
            try folder.append(name, String(text.suffix(10)))
        default:
            try? folder.remove(name)
            try folder.write(name, text)
        }
    }

    /// Uses the session in other ways.
    func useStatus() {
        _ = (session.mirror.status, session.mirror.metrics, session.mirror.path)
        session.mirror.reload()
    }

    func writeLast() throws {
        try folder.write("\(name).last", last.text)
        try folder.rename("\(name).last", to: name)
    }

    /// Waits until reads, subscribers and status agree with the file, then closes the session.
    func waitForLast() async throws {
        await eventually("the last edit of \(name) is loaded") { session.first == last.first }
        await eventually("the subscriber receives the last value") { checker.lastValue == last }
        await eventually("the status is good") { session.mirror.status.content == .good }
        try session.closeBlocking()
        await loop.value
    }

    private var last: PairedValue { PairedValue(9_999_999) }
}
