import SessionMirror
import TestSupport
import Testing

/// A file that many write to, with a session that stays and has a subscriber of each kind.
final class TornFile: Sendable {
    let session: Session<Twins>
    let visitor: Visitor
    private let name: String
    private let folder: TemporaryFolder
    private let witness: Witness
    private let token: Subscription
    private let loop: Task<Void, Never>

    init(_ folder: TemporaryFolder, _ name: String, complaints: Received<String>) throws {
        try folder.write(name, Twins(1_000_000).text)
        session = try Session(Twins(0), at: folder.path(of: name), check: Twins.check)
        (self.folder, self.name) = (folder, name)
        visitor = Visitor(session: session, complaints: complaints)
        let witness = Witness(complaints: complaints)
        token = session.observe(\.self) { witness.heard($0) }
        loop = Task { [visitor] in await visitor.loop() }
        self.witness = witness
    }

    var path: String { folder.path(of: name) }

    /// One edit, of one kind or another. Others write at the same time, or take the file away.
    func edit(_ number: Int) throws {
        let text = Twins(1_000_000 + number).text
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

    /// What is asked of a session by the way.
    func ask() {
        _ = (session.mirror.status, session.mirror.metrics, session.mirror.path)
        session.mirror.reload()
    }

    func writeLast() throws {
        try folder.write("\(name).last", last.text)
        try folder.rename("\(name).last", to: name)
    }

    /// Waits until reader, subscriber and status are at what the file says, then closes the session.
    func waitForLast() async throws {
        await eventually("the last edit of \(name) is read") { session.first == last.first }
        await eventually("the subscriber is given it") { witness.given == last }
        await eventually("and the status is good") { session.mirror.status.content == .good }
        try session.close()
        await loop.value
    }

    private var last: Twins { Twins(9_999_999) }
}
