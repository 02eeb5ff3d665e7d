import Testing

@testable import FileWatching

@Suite("Who runs the hub's loop") struct ReliefTests {
    /// Two threads, as far as they matter here, and what they were told.
    private struct World {
        enum Action: CaseIterable {
            case wantErrand, comeBackFirst, comeBackSecond, ring, restLong, lookWithoutAlarm, reinforce
        }

        private var relief = Relief<Int>()
        /// Who runs the loop; nil while it is on offer.
        private var runner: Int? = 0
        /// Who is away, and whether the loop is still on offer.
        private var away: [Int] = []
        private var offeredBy: Int?
        private var resting: Int?
        private var newest = 0

        /// False where it cannot happen.
        mutating func happen(_ action: Action) -> Bool {
            switch action {
            case .wantErrand:
                guard let thread = runner else { return false }
                let isPromised = relief.promised()
                #expect(isPromised == (resting != nil))
                if isPromised {
                    relief.left(thread)
                    (runner, offeredBy) = (nil, thread)
                    away.append(thread)
                }
            case .comeBackFirst, .comeBackSecond:
                let place = action == .comeBackFirst ? 0 : 1
                guard place < away.count else { return false }
                comeBack(away.remove(at: place))
            case .ring, .restLong, .lookWithoutAlarm:
                guard let thread = resting else { return false }
                rest(thread, action)
            case .reinforce:
                let count = relief.threads
                if relief.reinforced() {
                    newest += 1
                    begin(resting: newest)
                } else {
                    #expect(count == 2)
                }
            }
            check()
            return true
        }

        private mutating func comeBack(_ thread: Int) {
            let goesOn = relief.cameBack()
            #expect(goesOn == (offeredBy == thread))
            if goesOn { (runner, offeredBy) = (thread, nil) } else { begin(resting: thread) }
        }

        private mutating func begin(resting thread: Int) {
            #expect(resting == nil, "two rest at once")
            relief.rested()
            resting = thread
        }

        private mutating func rest(_ thread: Int, _ action: Action) {
            let rest: Relief<Int>.Rest =
                switch action {
                case .ring: relief.called()
                case .restLong: relief.restedLong()
                default: relief.lookedWithoutAlarm()
                }
            switch rest {
            case .goesOn: #expect(offeredBy == nil)
            case .takesOver(let loop):
                #expect(loop == offeredBy && runner == nil)
                (runner, offeredBy, resting) = (thread, nil, nil)
            case .ends:
                #expect(offeredBy == nil)
                resting = nil
            }
        }

        private func check() {
            #expect((runner == nil) == (offeredBy != nil), "the loop is run by one, or on offer")
            #expect(offeredBy == nil || resting != nil, "nobody could take what is on offer")
            #expect(relief.threads == (runner == nil ? 0 : 1) + away.count + (resting == nil ? 0 : 1))
            #expect(relief.threads <= 2)
        }
    }

    @Test("in every order of errands, returns, alarms and rests one thread runs it, or one that rests can")
    func walk() {
        var count = 0
        walk(World(), steps: 8, &count)
        #expect(count > 10_000)
    }

    private func walk(_ world: World, steps: Int, _ count: inout Int) {
        count += 1
        if steps == 0 { return }
        for action in World.Action.allCases {
            var next = world
            if next.happen(action) { walk(next, steps: steps - 1, &count) }
        }
    }

    @Test("who rests stays as long as errands are wanted, and then one rest longer") func wanted() {
        var relief = Relief<Int>()
        let begins = relief.reinforced()
        relief.rested()
        var outcomes = [begins]
        for _ in 0..<3 {
            outcomes.append(relief.promised())
            relief.left(1)
            outcomes.append(relief.cameBack())
            if case .goesOn = relief.restedLong() { outcomes.append(true) } else { outcomes.append(false) }
        }
        #expect(outcomes == Array(repeating: true, count: 10))
        if case .ends = relief.restedLong() {} else { Issue.record("it did not end") }
        #expect(relief.threads == 1)
    }
}
