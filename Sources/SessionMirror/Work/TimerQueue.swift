internal import Locking

/// Jobs that wait for their moments; those of one moment stay in the order in which they came.
struct TimerQueue {
    private struct Timer {
        let moment: Moment
        let number: UInt64
        let job: Job

        static func < (a: Timer, b: Timer) -> Bool { (a.moment, a.number) < (b.moment, b.number) }
    }

    /// A heap: each is no later than the two at twice its place.
    private var timers: [Timer] = []
    private var count: UInt64 = 0

    /// The moment of the earliest.
    var first: Moment? { timers.first?.moment }

    mutating func add(_ job: @escaping Job, at moment: Moment) {
        count += 1
        timers.append(Timer(moment: moment, number: count, job: job))
        var place = timers.count - 1
        while place > 0, timers[place] < timers[(place - 1) / 2] {
            timers.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// The earliest job, if its moment has come.
    mutating func takeFirst(at now: Moment) -> Job? {
        guard let first, first <= now else { return nil }
        timers.swapAt(0, timers.count - 1)
        let job = timers.removeLast().job
        sink()
        return job
    }

    private mutating func sink() {
        var place = 0
        while true {
            let children = (2 * place + 1)..<min(2 * place + 3, max(timers.count, 2 * place + 1))
            guard let earlier = children.min(by: { timers[$0] < timers[$1] }), timers[earlier] < timers[place] else {
                return
            }
            timers.swapAt(place, earlier)
            place = earlier
        }
    }
}
