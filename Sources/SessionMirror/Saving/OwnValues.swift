internal import Locking
internal import LosslessJSON

/// What this process replaced in the file, to know it again when it comes back.
///
/// A program that has read the file before a save of ours and writes all of it back afterwards takes our values back.
/// What it writes cannot be told from what somebody wants; but a value that returns, a moment after it was replaced, to
/// exactly what it was is more likely to be such a stale save. It is applied again, once.
struct OwnValues: Sendable {
    /// How long and how many.
    struct Reach: Sendable {
        /// How long after a save a value that returns is taken for a stale save.
        var restoring = Duration.seconds(1)
        /// How long values that were replaced are known again.
        var knowing = Duration.seconds(3_600)
        var most = 100_000
    }

    /// What the return of a value is.
    enum Return: Equatable {
        /// It was never replaced by us; an edit like any other.
        case none
        /// Just now, and for the first time.
        case stale
        /// Long ago, or for the second time.
        case known
    }

    fileprivate struct Replaced {
        /// The last time.
        var moment: Moment
        var times: Int
        var mayReturn: Bool
    }

    fileprivate struct Place {
        /// What stands there by our own doing.
        var latest: JSON?
        var replaced: [JSON?: Replaced] = [:]
    }

    private struct Event {
        let path: JSONPointer
        let value: JSON?
        let moment: Moment
    }

    let reach: Reach
    private var places: [JSONPointer: Place] = [:]
    /// In the order in which they came, from `front` on.
    private var events: [Event] = []
    private var front = 0

    init(reach: Reach = Reach()) { self.reach = reach }

    var isEmpty: Bool { places.isEmpty }

    /// How many replacements are remembered.
    var count: Int { events.count - front }

    /// Something to be remembered. What is remembered is large by and by, so it is not copied to be changed: who learns
    /// something notes it, and the one who keeps it takes the notes.
    enum Note: Sendable {
        /// A save made the changes.
        case saved([ValueChange], at: Moment)
        /// A value that returned was replaced again.
        case restored(JSONPointer, from: JSON?, at: Moment)
    }

    mutating func take(_ notes: [Note]) {
        for note in notes {
            switch note {
            case .saved(let changes, let moment): saved(changes, at: moment)
            case .restored(let path, let value, let moment): restored(path, from: value, at: moment)
            }
        }
    }

    /// A save made the changes.
    mutating func saved(_ changes: [ValueChange], at moment: Moment) {
        for change in changes {
            places[change.path, default: Place()].note(change, at: moment, reach)
            events.append(Event(path: change.path, value: change.old, moment: moment))
        }
        forget(at: moment)
    }

    /// What it means that the value at a path has become `value`.
    func isReturn(to value: JSON?, at path: JSONPointer, at moment: Moment) -> Return {
        guard let replaced = places[path]?.replaced[value], moment < replaced.moment + reach.knowing else {
            return .none
        }
        return replaced.mayReturn && moment < replaced.moment + reach.restoring ? .stale : .known
    }

    /// Whether the value at a path is what we have put there.
    func isOwn(_ value: JSON?, at path: JSONPointer) -> Bool { places[path].map { $0.latest == value } ?? false }

    /// A value that returned was replaced again: its next return counts.
    mutating func restored(_ path: JSONPointer, from value: JSON?, at moment: Moment) {
        places[path]?.replaced[value]?.mayReturn = false
        // However long the save takes that puts it in again.
        places[path]?.replaced[value]?.moment = moment
    }

    private mutating func forget(at moment: Moment) {
        while front < events.count, count > reach.most || events[front].moment + reach.knowing <= moment {
            let event = events[front]
            front += 1
            if places[event.path]?.forget(event.value) == true { places[event.path] = nil }
        }
        if front > 1_024, front * 2 > events.count {
            events.removeFirst(front)
            front = 0
        }
    }
}

extension OwnValues.Place {
    fileprivate mutating func note(_ change: ValueChange, at moment: Moment, _ reach: OwnValues.Reach) {
        latest = change.new
        var value = replaced[change.old] ?? OwnValues.Replaced(moment: moment, times: 0, mayReturn: true)
        if value.moment + reach.restoring <= moment { value.mayReturn = true }
        value.moment = moment
        value.times += 1
        replaced[change.old] = value
    }

    /// Forgets the oldest time that a value was replaced; whether nothing is left.
    fileprivate mutating func forget(_ value: JSON?) -> Bool {
        replaced[value]?.times -= 1
        if replaced[value]?.times == 0 { replaced[value] = nil }
        return replaced.isEmpty
    }
}
