import Testing

@testable import FileWatching

@Suite("Leader and follower") struct LeaderStateTests {
    /// A model of two threads that checks every transition of the state.
    private struct Model {
        enum Action: CaseIterable {
            case deferWork, returnFirst, returnSecond, fireWatchdog, timeOut, pollWithoutWatchdog, addThread
        }

        private var state = LeaderState<Int>()
        /// The thread that runs the loop; nil while the loop is unattended.
        private var leader: Int? = 0
        /// The threads that run deferred work, and the one whose loop is unattended.
        private var absent: [Int] = []
        private var owner: Int?
        private var follower: Int?
        private var newest = 0

        /// Performs an action. Returns false if it is impossible in this state.
        mutating func perform(_ action: Action) -> Bool {
            switch action {
            case .deferWork:
                guard let thread = leader else { return false }
                let isReserved = state.reserveFollower()
                #expect(isReserved == (follower != nil))
                if isReserved {
                    state.leaderLeft(thread)
                    (leader, owner) = (nil, thread)
                    absent.append(thread)
                }
            case .returnFirst, .returnSecond:
                let index = action == .returnFirst ? 0 : 1
                guard index < absent.count else { return false }
                finishWork(absent.remove(at: index))
            case .fireWatchdog, .timeOut, .pollWithoutWatchdog:
                guard let thread = follower else { return false }
                stepFollower(thread, action)
            case .addThread:
                let count = state.threads
                if state.addThread() {
                    newest += 1
                    startFollowing(newest)
                } else {
                    #expect(count == 2)
                }
            }
            check()
            return true
        }

        private mutating func finishWork(_ thread: Int) {
            let isLeader = state.leaderReturned()
            #expect(isLeader == (owner == thread))
            if isLeader { (leader, owner) = (thread, nil) } else { startFollowing(thread) }
        }

        private mutating func startFollowing(_ thread: Int) {
            #expect(follower == nil, "two followers at once")
            state.followerStarted()
            follower = thread
        }

        private mutating func stepFollower(_ thread: Int, _ action: Action) {
            let step: LeaderState<Int>.FollowerStep =
                switch action {
                case .fireWatchdog: state.watchdogFired()
                case .timeOut: state.followerTimedOut()
                default: state.followerPolled()
                }
            switch step {
            case .keepWaiting: #expect(owner == nil)
            case .lead(let loop):
                #expect(loop == owner && leader == nil)
                (leader, owner, follower) = (thread, nil, nil)
            case .exit:
                #expect(owner == nil)
                follower = nil
            }
        }

        private func check() {
            #expect((leader == nil) == (owner != nil), "the loop has a leader or is unattended")
            #expect(owner == nil || follower != nil, "an unattended loop has a follower")
            #expect(state.threads == (leader == nil ? 0 : 1) + absent.count + (follower == nil ? 0 : 1))
            #expect(state.threads <= 2)
        }
    }

    @Test("In every order of events the watch loop has a leader or a follower that can take over")
    func walk() {
        var count = 0
        walk(Model(), steps: 8, &count)
        #expect(count > 10_000)
    }

    private func walk(_ model: Model, steps: Int, _ count: inout Int) {
        count += 1
        if steps == 0 { return }
        for action in Model.Action.allCases {
            var next = model
            if next.perform(action) { walk(next, steps: steps - 1, &count) }
        }
    }

    @Test("A follower stays while work is deferred, and for one more timeout") func used() {
        var state = LeaderState<Int>()
        let isAdded = state.addThread()
        state.followerStarted()
        var results = [isAdded]
        for _ in 0..<3 {
            results.append(state.reserveFollower())
            state.leaderLeft(1)
            results.append(state.leaderReturned())
            if case .keepWaiting = state.followerTimedOut() { results.append(true) } else { results.append(false) }
        }
        #expect(results == Array(repeating: true, count: 10))
        if case .exit = state.followerTimedOut() {} else { Issue.record("the follower did not exit") }
        #expect(state.threads == 1)
    }
}
