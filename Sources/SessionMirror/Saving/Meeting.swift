internal import Locking
internal import LosslessJSON

/// What the session has in memory meets what the file says: the two become one.
struct Meeting: Sendable {
    /// The path of the file, for people.
    let file: String
    let understanding: any Understanding
    let policy: ConflictPolicy

    /// What came of it.
    struct Outcome: Sendable {
        /// What the file says.
        let document: JSONDocument
        /// What was in memory.
        let against: AnyEdition
        /// What is to be in memory; the same if nothing changes.
        var edition: AnyEdition
        /// The values of that.
        var tree: JSON
        /// What is to be remembered.
        var notes: [OwnValues.Note]
        /// What had to give way, and what was put back.
        var losses: [Problem] = []
        /// Whether a value was put back that somebody had taken back without knowing.
        var hasRestored = false

        /// Whether the file lacks something that memory has.
        var isPending: Bool { !tree.isSame(as: document.value) }
    }

    /// Why nothing came of it.
    enum Refusal: Error {
        /// What the file says cannot be used.
        case refused(Problem)
        /// What memory has cannot be written, or must not.
        case held(Problem)
    }

    /// Makes one of both: what only one side changed since they were the same is taken from that side.
    func outcome(
        _ standing: Standing, _ found: JSONDocument, _ intentions: Intentions = Intentions(), at moment: Moment
    ) throws(Refusal) -> Outcome {
        let mine = try tree(of: standing.edition)
        var returns = Returns(of: standing, mine, found.value, intentions, in: self, at: moment)
        returns.judge()
        let isUntouched = returns.ours.isSame(as: standing.common) && returns.theirs.isIdentical(to: found.value)
        var outcome = Outcome(
            document: found, against: standing.edition, edition: standing.edition, tree: mine, notes: returns.notes,
            losses: returns.losses, hasRestored: returns.hasRestored)
        if isUntouched {
            try take(found, mine, standing, &outcome)
        } else {
            try merge(returns, mine, standing, &outcome)
        }
        return outcome
    }

    func tree(of edition: AnyEdition) throws(Refusal) -> JSON {
        do throws(JSONCodingError) {
            return try edition.tree()
        } catch {
            throw .held(Problem(.unwritable, file, at: error.path, error))
        }
    }

    /// Nothing is pending, so that the file is right.
    private func take(
        _ found: JSONDocument, _ mine: JSON, _ standing: Standing, _ outcome: inout Outcome
    ) throws(Refusal) {
        outcome.tree = found.value
        if standing.document == nil || !mine.isSame(as: found.value) {
            outcome.edition = try edition(of: found, from: standing)
        }
    }

    private func merge(
        _ returns: Returns, _ mine: JSON, _ standing: Standing, _ outcome: inout Outcome
    ) throws(Refusal) {
        let found = outcome.document
        // What the file says alone must be good: what is refused is for people to mend, and not merged away.
        let foundEdition = try edition(of: found, from: standing)
        let merge = JSON.merge(
            base: standing.common, ours: returns.ours, theirs: returns.theirs, resolving: resolve)
        do throws(Problem) {
            outcome.edition =
                if merge.value.isSame(as: mine) {
                    outcome.against
                } else if merge.value.isSame(as: found.value) {
                    foundEdition
                } else {
                    try edition(of: merge.value, from: standing)
                }
            outcome.tree = merge.value
            outcome.losses += merge.conflicts.map { Problem(conflict: $0, in: file, merge.value) }
        } catch {
            let whole = JSONConflict(path: JSONPointer(), base: standing.common, ours: mine, theirs: found.value)
            try decide(whole, because: error, foundEdition, standing, &outcome)
        }
    }

    /// Both sides are good, and together they are not.
    private func decide(
        _ conflict: JSONConflict, because problem: Problem, _ foundEdition: AnyEdition, _ standing: Standing,
        _ outcome: inout Outcome
    ) throws(Refusal) {
        let loss = Problem(conflict: conflict, in: file, outcome.document.value, because: problem)
        if case .memoryWins = policy { throw .held(loss) }
        outcome.edition = foundEdition
        outcome.tree = outcome.document.value
        if case .custom(let resolve) = policy, let chosen = resolve(conflict),
            let edition = try? edition(of: chosen, from: standing)
        {
            (outcome.edition, outcome.tree) = (edition, chosen)
        }
        outcome.losses.append(loss)
    }

    func resolve(_ conflict: JSONConflict) -> JSON? {
        switch policy {
        case .fileWins: conflict.theirs
        case .memoryWins: conflict.ours
        case .custom(let resolve): resolve(conflict)
        }
    }

    private func edition(of found: JSONDocument, from standing: Standing) throws(Refusal) -> AnyEdition {
        let (version, origin) = standing.next
        do throws(Problem) {
            return try understanding.edition(of: found, in: file, version: version, origin: origin)
        } catch {
            throw .refused(error)
        }
    }

    private func edition(of tree: JSON, from standing: Standing) throws(Problem) -> AnyEdition {
        let (version, origin) = standing.next
        return try understanding.edition(of: tree, in: file, version: version, origin: origin)
    }
}

extension JSON {
    func isSame(as other: JSON) -> Bool { isIdentical(to: other) || self == other }
}
