import Locking

/// When jobs run.
enum SavingPace: String, CaseIterable, Sendable {
    /// Jobs run immediately.
    case prompt
    /// Jobs run immediately, and pending changes are saved before the next event.
    case calm
    /// Jobs begin immediately, and end after the next event.
    case overtaken
    /// Jobs begin and end only with the events `begin` and `end`.
    case slow

    /// The events that sequences of this pace contain.
    var events: [SavingEvent] { self == .slow ? SavingEvent.exhaustive : SavingEvent.withoutJobSteps }
}

extension SavingSimulation {
    mutating func handle(_ event: SavingEvent, at pace: SavingPace) {
        switch pace {
        case .prompt:
            if event == .second { return waitWorking(.milliseconds(1_100)) }
            handle(event)
            work()
        case .calm:
            if event != .second { handle(event) }
            waitWorking(.milliseconds(event == .second ? 1_100 : 300))
        case .overtaken:
            handle(event)
            stepJob()
            beginJob()
        case .slow: handle(event)
        }
    }

    /// Handles several events, and skips impossible ones.
    mutating func handle(_ events: SavingEvent..., at pace: SavingPace) {
        for event in events where isPossible(event) { handle(event, at: pace) }
    }
}
