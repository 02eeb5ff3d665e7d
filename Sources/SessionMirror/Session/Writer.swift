internal import Locking
internal import LosslessJSON

/// Makes the versions that the program wants, one after the other.
final class Writer<Root: Codable & Sendable>: Sendable {
    typealias Check = @Sendable (Root) throws -> Void

    /// Where the versions go.
    enum Destination: Sendable {
        case file(Mirroring)
        case memory
    }

    let coding: Coding
    private let check: Check?
    let turn: Turn
    private let published: Published<Edition<Root>>
    private let bulletin: Bulletin
    let destination: Destination
    private let isOver = Lock(false)

    init(
        _ published: Published<Edition<Root>>, _ bulletin: Bulletin, to destination: Destination = .memory,
        coding: Coding = .standard, check: Check? = nil
    ) {
        (self.published, self.bulletin, self.destination) = (published, bulletin, destination)
        (self.coding, self.check) = (coding, check)
        turn = if case .file(let mirroring) = destination { mirroring.turn } else { Turn() }
    }

    /// Makes the next version of what is in memory.
    func update<Result: Sendable>(_ change: (inout Root) throws -> Result) throws -> Result {
        try make { edition, version in try changed(edition, version, change) }
    }

    /// The same with the values of the file.
    func set(_ pointer: JSONPointer, to value: JSON?) throws {
        try make { edition, version in (try set(pointer, to: value, in: edition, version), ()) }
    }

    /// Publishes another version, in its turn; what that leads to comes after.
    private func make<Result>(_ next: (Edition<Root>, Version) throws -> (Edition<Root>, Result)) throws -> Result {
        if Forking.madeThisProcess { throw SessionError.forked }
        let (result, aftermath) = try turn.take {
            try requireOpen()
            let before = published.current
            let (edition, result) = try next(before, before.version.next)
            return (result, publish(edition))
        }
        switch aftermath {
        case .file(let mirroring, let decision): mirroring.carryOut(decision, isUpdate: true)
        case .memory(let replaced):
            bulletin.post()
            replaced.retire()
        }
        return result
    }

    private enum Aftermath {
        case file(Mirroring, Mirroring.Decision)
        case memory(Replaced)
    }

    private func publish(_ edition: Edition<Root>) -> Aftermath {
        switch destination {
        case .file(let mirroring): .file(mirroring, mirroring.updated(to: edition))
        case .memory: .memory(published.replace(with: edition))
        }
    }

    /// What a change makes of an edition, if it is good.
    func changed<Result>(
        _ edition: Edition<Root>, _ version: Version, _ change: (inout Root) throws -> Result
    ) throws -> (Edition<Root>, Result) {
        var root = edition.root
        let result = try change(&root)
        try check?(root)
        let source: Edition<Root>.Source =
            if case .memory = destination { .value(coding) } else { .update(of: edition.basis(with: coding)) }
        return (Edition(root, version: version, origin: .update, source: source), result)
    }

    private func set(
        _ pointer: JSONPointer, to value: JSON?, in edition: Edition<Root>, _ version: Version
    ) throws -> Edition<Root> {
        let tree = try edition.tree()
        let next = if let value { try tree.setting(pointer, to: value) } else { try tree.removing(pointer) }
        let root = try next as? Root ?? coding.decode(Root.self, from: next)
        try check?(root)
        return Edition(root, version: version, origin: .update, source: .tree(next))
    }

    func requireOpen() throws(SessionError) {
        if isOver.withLock({ $0 }) { throw .closed }
    }

    /// Nothing changes any more; or does again.
    func close(_ isClosed: Bool = true) { isOver.withLock { $0 = isClosed } }

    /// What would wait for itself.
    func requireOutside(_ name: String) {
        precondition(!Reading.isGoingOn, "\(name) inside read of a session")
        precondition(!turn.isMine, "\(name) inside a change of the same session")
    }
}
