internal import Locking
internal import LosslessJSON

/// What a session knows of its file, and decides when something happens.
///
/// Pure: events come in as past-tense methods with the moment they happened at, a short list of effects comes out. It
/// reads no file, knows no clock and takes no lock, so that every order of events can be walked in tests.
///
/// One look at the file is under way at most. Whatever happens meanwhile leads to one more look after it, so that what
/// is published in the end is what the file says, whichever events were merged, lost or late.
struct MirrorState: Sendable {
    /// How long unfinished content is waited for.
    struct Patience: Sendable {
        var quiet: Duration
        var limit: Duration
    }

    /// What is to be done now, in this order.
    enum Effect: Sendable {
        /// Read the file, then say ``MirrorState/looked(_:at:)``.
        case look
        /// Make it what readers read.
        case publish(AnyEdition)
        /// Tell those who listen.
        case report(MirrorReport)
        /// Say ``MirrorState/timePassed(at:)`` at that moment.
        case wake(at: Moment)
    }

    private enum Looking { case none, once, andAgain }

    /// Content that is no good, and may be unfinished.
    private struct Suspicion {
        let content: MirrorStatus.Content
        let began: Moment
    }

    private let patience: Patience
    private var looking = Looking.once
    private var lastSignal: Moment
    private var suspicion: Suspicion?
    /// When to look again by ourselves, because what stands may pass without a signal.
    private var retry: Moment?
    private var isClosed = false

    /// The last good text of the file.
    private(set) var base: JSONDocument?
    private(set) var edition: AnyEdition
    private(set) var status: MirrorStatus
    private(set) var reloads = 0
    private(set) var refusals = 0

    /// A file that is about to be looked at for the first time: ``opened(_:)`` comes next.
    init(defaults: AnyEdition, patience: Patience, at moment: Moment) {
        edition = defaults
        self.patience = patience
        lastSignal = moment
        status = MirrorStatus(watching: .live, content: .missing)
    }
}

extension MirrorState {
    /// The file was looked at for the first time. Nothing was served before, so nothing is waited for.
    mutating func opened(_ sight: Sight) -> [Effect] {
        switch sight {
        case .good(let document, let draft, _):
            base = document
            edition = draft(.first, .initial)
            status.content = .good
            return [.publish(edition)] + lookEnded()
        case .same: status.content = .good
        case .missing: status.content = .missing
        case .refused(let problem, let outlook):
            refusals += 1
            status.content = .invalid(problem)
            if outlook == .passing { return [again(after: lastSignal)] + lookEnded() }
        }
        return lookEnded()
    }

    /// Something happened to the file, or may have.
    mutating func signalled(at moment: Moment) -> [Effect] {
        if isClosed { return [] }
        lastSignal = moment
        guard looking == .none else {
            looking = .andAgain
            return []
        }
        looking = .once
        return [.look]
    }

    /// A look at the file has ended.
    mutating func looked(_ sight: Sight, at moment: Moment) -> [Effect] {
        if isClosed { return [] }
        retry = nil
        return judged(sight, at: moment) + lookEnded()
    }

    /// A moment that was asked for has come; or any other.
    mutating func timePassed(at moment: Moment) -> [Effect] {
        guard !isClosed, looking == .none else { return [] }
        if let retry, moment >= retry {
            looking = .once
            return [.look]
        }
        return suspicion.map { suspected($0.content, at: moment) } ?? []
    }

    /// The way in which changes are noticed is another.
    mutating func watchingChanged(to watching: MirrorStatus.Watching) -> [Effect] {
        guard !isClosed, watching != status.watching else { return [] }
        status.watching = watching
        return [.report(.status(status))]
    }

    /// Nothing of the file matters any more.
    mutating func closed() -> [Effect] {
        if isClosed { return [] }
        let effects = watchingChanged(to: .frozen)
        isClosed = true
        return effects
    }
}

extension MirrorState {
    private mutating func lookEnded() -> [Effect] {
        defer { looking = looking == .andAgain ? .once : .none }
        return looking == .andAgain ? [.look] : []
    }

    private mutating func judged(_ sight: Sight, at moment: Moment) -> [Effect] {
        switch sight {
        case .good(let document, let draft, let isChanged):
            base = document
            return (isChanged ? published(draft) : []) + settled(as: .good)
        case .same: return settled(as: .good)
        case .missing: return suspected(.missing, at: moment)
        case .refused(let problem, .final): return settled(as: .invalid(problem))
        case .refused(let problem, .unfinished): return suspected(.invalid(problem), at: moment)
        case .refused(let problem, .passing):
            return suspected(.invalid(problem), at: moment) + [again(after: moment)]
        }
    }

    private mutating func again(after moment: Moment) -> Effect {
        let next = moment + .seconds(1)
        retry = next
        return .wake(at: next)
    }

    private mutating func published(_ draft: Draft) -> [Effect] {
        reloads += 1
        edition = draft(edition.version.next, .external)
        return [.publish(edition)]
    }

    /// Content that is no good: waits until its writer has left it alone, or was given time enough.
    private mutating func suspected(_ content: MirrorStatus.Content, at moment: Moment) -> [Effect] {
        if content == status.content { return settled(as: content) }
        let began = suspicion?.began ?? moment
        let quiet = max(lastSignal, began) + patience.quiet
        // Where a problem stands already, another one has time: a file that grows for minutes is told of once.
        let deadline = status.content.problem == nil ? min(quiet, began + patience.limit) : quiet
        if moment >= deadline { return settled(as: content) }
        suspicion = Suspicion(content: content, began: began)
        return [.wake(at: deadline)]
    }

    private mutating func settled(as content: MirrorStatus.Content) -> [Effect] {
        suspicion = nil
        if content == status.content { return [] }
        let before = status.content.problem
        status.content = content
        guard let problem = content.problem else {
            return (before.map { [.report(.recovered($0))] } ?? []) + [.report(.status(status))]
        }
        refusals += 1
        return [.report(.problem(problem)), .report(.status(status))]
    }
}
