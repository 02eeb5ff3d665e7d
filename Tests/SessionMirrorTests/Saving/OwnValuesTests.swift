import Locking
import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("Own values that come back") struct OwnValuesTests {
    private let start = Moment(nanoseconds: 5_000_000_000)

    private func change(_ path: JSONPointer = "/a", from old: JSON?, to new: JSON?) -> ValueChange {
        ValueChange(path: path, old: old, new: new)
    }

    private func saved(_ changes: ValueChange..., reach: OwnValues.Reach = OwnValues.Reach()) -> OwnValues {
        var own = OwnValues(reach: reach)
        own.saved(changes, at: start)
        return own
    }

    @Test("a return counts as stale until just before a second has passed, and as known from then on") func second() {
        let own = saved(change(from: 1, to: 2))
        #expect(own.isReturn(to: 1, at: "/a", at: start) == .stale)
        #expect(own.isReturn(to: 1, at: "/a", at: start + (Duration.seconds(1) - .nanoseconds(1))) == .stale)
        #expect(own.isReturn(to: 1, at: "/a", at: start + .seconds(1)) == .known)
    }

    @Test("a return is known until just before an hour has passed, and an edit like any other from then on")
    func hour() {
        var own = saved(change(from: 1, to: 2))
        #expect(own.isReturn(to: 1, at: "/a", at: start + (Duration.seconds(3_600) - .nanoseconds(1))) == .known)
        #expect(own.isReturn(to: 1, at: "/a", at: start + .seconds(3_600)) == .none)
        own.saved([], at: start + (Duration.seconds(3_600) - .nanoseconds(1)))
        #expect(!own.isEmpty)
        own.saved([], at: start + .seconds(3_600))
        #expect(own.isEmpty && own.count == 0)
    }

    @Test("only the very value that was replaced, at its very place, is a return") func others() {
        let own = saved(change(from: 1, to: 2), change("/b", from: nil, to: "x"))
        #expect(own.isReturn(to: 3, at: "/a", at: start) == .none)
        #expect(own.isReturn(to: 2, at: "/a", at: start) == .none)
        #expect(own.isReturn(to: nil, at: "/a", at: start) == .none)
        #expect(own.isReturn(to: 1, at: "/b", at: start) == .none)
        #expect(own.isReturn(to: nil, at: "/b", at: start) == .stale)
        #expect(own.isReturn(to: 1.0, at: "/a", at: start) == .stale)
    }

    @Test("what was put in again is not put in a second time") func once() {
        var own = saved(change(from: 1, to: 2))
        own.restored("/a", from: 1, at: start)
        #expect(own.isReturn(to: 1, at: "/a", at: start + .milliseconds(1)) == .known)
        // The save that puts it in again replaces the value once more.
        own.saved([change(from: 1, to: 2)], at: start + .milliseconds(2))
        #expect(own.isReturn(to: 1, at: "/a", at: start + .milliseconds(3)) == .known)
        own.saved([change(from: 1, to: 2)], at: start + (Duration.milliseconds(1_002) - .nanoseconds(1)))
        #expect(own.isReturn(to: 1, at: "/a", at: start + .milliseconds(1_003)) == .known)
    }

    @Test("also where the save that puts it in again takes long") func slow() {
        var own = saved(change(from: 1, to: 2))
        own.restored("/a", from: 1, at: start + .milliseconds(900))
        own.saved([change(from: 1, to: 2)], at: start + .milliseconds(1_500))
        #expect(own.isReturn(to: 1, at: "/a", at: start + .milliseconds(1_501)) == .known)
    }

    @Test("a value that is replaced again when the moment is over can be put in again once more") func anew() {
        var own = saved(change(from: 1, to: 2))
        own.restored("/a", from: 1, at: start)
        own.saved([change(from: 1, to: 3)], at: start + .seconds(1))
        #expect(own.isReturn(to: 1, at: "/a", at: start + .seconds(1)) == .stale)
    }

    @Test("each value that a place has had is known") func history() {
        var own = OwnValues()
        for number in 0..<5 {
            let change = change(from: JSON(number), to: JSON(number + 1))
            own.saved([change], at: start + .milliseconds(100 * number))
        }
        for number in 0..<5 {
            #expect(own.isReturn(to: JSON(number), at: "/a", at: start + .milliseconds(500)) == .stale)
        }
        #expect(own.isReturn(to: 0, at: "/a", at: start + .seconds(1)) == .known)
        #expect(own.isReturn(to: 1, at: "/a", at: start + .seconds(1)) == .stale)
        #expect(own.isOwn(5, at: "/a") && !own.isOwn(4, at: "/a") && !own.isOwn(5, at: "/b"))
    }

    @Test("a place that is empty by our doing is ours") func removed() {
        let own = saved(change(from: 1, to: nil))
        #expect(own.isOwn(nil, at: "/a"))
        #expect(!own.isOwn(nil, at: "/b"))
        #expect(own.isReturn(to: 1, at: "/a", at: start) == .stale)
    }

    @Test("so many are remembered and not one more; the oldest go first") func most() {
        var own = OwnValues()
        own.saved((0..<100_000).map { change(JSONPointer(["k\($0)"]), from: 1, to: 2) }, at: start)
        #expect(own.count == 100_000)
        #expect(own.isReturn(to: 1, at: "/k0", at: start) == .stale)
        own.saved([change("/new", from: 1, to: 2)], at: start + .milliseconds(1))
        #expect(own.count == 100_000)
        #expect(own.isReturn(to: 1, at: "/k0", at: start + .milliseconds(1)) == .none)
        #expect(own.isReturn(to: 1, at: "/k1", at: start + .milliseconds(1)) == .stale)
        #expect(own.isReturn(to: 1, at: "/new", at: start + .milliseconds(1)) == .stale)
    }

    @Test("a value that was replaced twice is forgotten with the second time") func twice() {
        var own = saved(change(from: 1, to: 2), reach: OwnValues.Reach(most: 2))
        own.saved([change(from: 1, to: 3)], at: start + .milliseconds(1))
        own.saved([change("/b", from: 1, to: 2)], at: start + .milliseconds(2))
        #expect(own.isReturn(to: 1, at: "/a", at: start + .milliseconds(2)) == .stale)
        own.saved([change("/b", from: 2, to: 3)], at: start + .milliseconds(3))
        #expect(own.isReturn(to: 1, at: "/a", at: start + .milliseconds(3)) == .none)
        #expect(own.count == 2)
    }

    @Test("with no time for restoring nothing is stale, and losses are still known") func never() {
        let own = saved(change(from: 1, to: 2), reach: OwnValues.Reach(restoring: .zero))
        #expect(own.isReturn(to: 1, at: "/a", at: start) == .known)
    }
}
