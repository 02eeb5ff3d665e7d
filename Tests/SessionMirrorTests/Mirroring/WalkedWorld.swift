import Locking
import LosslessJSON
import Testing

@testable import SessionMirror

/// A file, a clock and a mirror of the file, all pretended: what the walk of every order of events walks through.
///
/// The looks that the state asks for are made when the walk says so: they see the file when they begin, and the state
/// hears of it when they end.
struct WalkedWorld {
    /// What can happen to the file.
    enum Event: String, CaseIterable {
        case edit, invalidEdit, repair, delete, recreate, halfWritten, attributesOnly, rescan
    }

    /// What the file holds.
    enum File: Equatable {
        case missing
        case text(String)
        case mistake(Int)
        case half(Int)
    }

    static let patience = MirrorState.Patience(quiet: .milliseconds(100), limit: .seconds(1))

    private(set) var file = File.text(#"{"n":0}"#)
    private(set) var state: MirrorState
    private(set) var now = Moment(nanoseconds: 1_000_000_000)
    private(set) var history = History()
    /// Whether a look was asked for and has not ended.
    private(set) var isLookDue = false
    /// What the look that has begun saw.
    private var seen: Sight?
    private var alarms: [Moment] = []
    private var count = 0
    /// The last good text, which a repair or another creation brings back.
    private var lastGood = #"{"n":0}"#

    init() {
        let defaults = Edition(JSON.object([:]), version: .first, origin: .initial, source: .nothing)
        state = MirrorState(defaults: defaults, patience: Self.patience, at: now)
        take(state.opened(sight))
    }

    /// Something happens to the file, and the watch tells.
    mutating func happen(_ event: Event) {
        count += 1
        switch event {
        case .edit: write(#"{"n":\#(count)}"#)
        case .invalidEdit: file = .mistake(count)
        case .halfWritten: file = .half(count)
        case .repair: write(lastGood)
        case .delete: file = .missing
        case .recreate: if file == .missing { write(lastGood) } else { return }
        case .attributesOnly, .rescan: break
        }
        take(state.signalled(at: now))
    }

    private mutating func write(_ text: String) {
        lastGood = text
        file = .text(text)
    }

    /// Makes the look that is due, or ends the one that has begun.
    mutating func look() {
        beginLook()
        endLook()
    }

    /// Sees the file as it is now, if a look is due.
    mutating func beginLook() {
        if isLookDue, seen == nil { seen = sight }
    }

    mutating func endLook() {
        guard let sight = seen else { return }
        seen = nil
        isLookDue = false
        take(state.looked(sight, at: now))
    }

    /// Lets time pass, and rings the alarms whose moment comes, each exactly then.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while let alarm = alarms.min(), alarm <= end {
            now = max(now, alarm)
            alarms.removeAll { $0 <= now }
            take(state.timePassed(at: now))
            while isLookDue { look() }
        }
        now = end
    }

    private mutating func take(_ effects: [MirrorState.Effect]) {
        for effect in effects {
            switch effect {
            case .look(let isAlone):
                history.check(!isAlone, "a look was made in vain")
                history.check(!isLookDue, "two looks at once")
                isLookDue = true
            case .wake(let moment):
                history.check(moment > now, "an alarm for a moment that has passed")
                alarms.append(moment)
            case .save, .refuse: history.check(false, "a save without a change")
            case .publish(let edition): history.published(edition as! Edition<JSON>)
            case .report(let report): history.reported(report)
            }
        }
    }

    private var sight: Sight {
        switch file {
        case .missing: .missing
        case .mistake(let number): .refused(Self.mistake(number), .final)
        case .half(let number): .refused(Self.half(number), .unfinished)
        case .text(let text):
            // The texts of one number are one object, as reading again would not make them, which the state must not need.
            Self.sight(of: text, from: state.standing, at: now)
        }
    }

    private static func sight(of text: String, from standing: Standing, at moment: Moment) -> Sight {
        if standing.document?.text == text { return .same }
        let meeting = Meeting(
            file: "file", understanding: CheckedDecoding<JSON>(coding: .standard, check: nil), policy: .fileWins)
        return .good(try! meeting.outcome(standing, JSONDocument(parsing: text), at: moment))
    }

    static func mistake(_ number: Int) -> Problem { Problem(.value, "file", "mistake \(number)") }

    static func half(_ number: Int) -> Problem { Problem(.syntax, "file", "unfinished \(number)") }

    /// What the status must say of the file in the end.
    var expectedContent: MirrorStatus.Content {
        switch file {
        case .missing: .missing
        case .text: .good
        case .mistake(let number): .invalid(Self.mistake(number))
        case .half(let number): .invalid(Self.half(number))
        }
    }
}

/// What the outside saw, checked while it comes.
struct History {
    private(set) var editions: [Edition<JSON>] = []
    private(set) var reports: [MirrorReport] = []
    private(set) var complaints: [String] = []
    private var standing: Problem?

    mutating func check(_ holds: Bool, _ complaint: @autoclosure () -> String) {
        if !holds { complaints.append(complaint()) }
    }

    mutating func published(_ edition: Edition<JSON>) {
        if let before = editions.last {
            check(edition.version > before.version, "the version did not grow")
            check(edition.json != before.json, "a version changed nothing")
        }
        editions.append(edition)
    }

    mutating func reported(_ report: MirrorReport) {
        if reports.last == report { complaints.append("told twice: \(report)") }
        reports.append(report)
        switch report {
        case .problem(let problem):
            check(problem != standing, "a problem that stands was told again")
            standing = problem
        case .recovered(let problem):
            check(problem == standing, "recovered from a problem that did not stand")
            standing = nil
        case .status(let status):
            check(status.content.problem == standing, "the status and the problems told differ")
        }
    }
}
