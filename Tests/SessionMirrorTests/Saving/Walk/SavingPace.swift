import Locking

/// When jobs are done.
enum SavingPace: String, CaseIterable, Sendable {
    /// At once.
    case prompt
    /// At once, and what is pending is saved before the next event.
    case calm
    /// They begin at once, and end after the next event.
    case overtaken
    /// When the walk says so.
    case slow

    /// What can happen.
    var events: [SavingEvent] { self == .slow ? SavingEvent.walked : SavingEvent.outside }
}

extension SavingWorld {
    mutating func happen(_ event: SavingEvent, at pace: SavingPace) {
        switch pace {
        case .prompt:
            if event == .second { return waitWorking(.milliseconds(1_100)) }
            happen(event)
            work()
        case .calm:
            if event != .second { happen(event) }
            waitWorking(.milliseconds(event == .second ? 1_100 : 300))
        case .overtaken:
            happen(event)
            stepJob()
            beginJob()
        case .slow: happen(event)
        }
    }

    /// Several, those that can happen.
    mutating func happen(_ events: SavingEvent..., at pace: SavingPace) {
        for event in events where canHappen(event) { happen(event, at: pace) }
    }
}
