internal import Locking
internal import LosslessJSON

/// Own values that somebody else has taken back: which of them are put back, and which are gone.
struct Returns {
    private let meeting: Meeting
    private let standing: Standing
    private let mine: JSON
    private let found: JSON
    /// Of others who use this library.
    private let intentions: Intentions
    private let moment: Moment

    /// What memory has, without what is not pending any more.
    private(set) var ours: JSON
    /// What the file says, without what is put back.
    private(set) var theirs: JSON
    /// What is to be remembered of it.
    private(set) var notes: [OwnValues.Note] = []
    private(set) var losses: [Problem] = []
    private(set) var hasRestored = false

    init(
        of standing: Standing, _ mine: JSON, _ found: JSON, _ intentions: Intentions, in meeting: Meeting,
        at moment: Moment
    ) {
        (self.standing, self.mine, self.found, self.meeting, self.moment) = (standing, mine, found, meeting, moment)
        self.intentions = intentions
        (ours, theirs) = (mine, found)
    }

    mutating func judge() {
        guard !standing.own.isEmpty, let before = standing.document?.value else { return }
        for change in ValueChange.list(from: before, to: found) { judge(change) }
    }

    private mutating func judge(_ change: ValueChange) {
        let path = change.path
        let value = mine[at: path]
        let own = standing.own
        let isOwn = own.isOwn(value, at: path)
        switch own.isReturn(to: change.new, at: path, at: moment) {
        case .none: break
        case .stale where (isOwn || own.isOwn(change.old, at: path)) && !intentions.contains(change.new, at: path):
            notes.append(.restored(path, from: change.new, at: moment))
            theirs = theirs.with(standing.common[at: path], at: path)
            hasRestored = true
            tell(.restored, change, value)
        case .stale, .known:
            // What is pending beside is a conflict like any other.
            guard isOwn || value == standing.common[at: path] else { return }
            ours = ours.with(standing.common[at: path], at: path)
            if value != change.new { tell(.reverted, change, value) }
        }
    }

    private mutating func tell(_ code: Problem.Code, _ change: ValueChange, _ value: JSON?) {
        let values = JSONConflict(path: change.path, base: change.old, ours: value, theirs: change.new)
        losses.append(Problem(code, values, in: meeting.file))
    }
}
