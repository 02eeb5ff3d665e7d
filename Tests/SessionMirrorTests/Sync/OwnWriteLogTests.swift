import Locking
import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("The log of own writes") struct OwnWriteLogTests {
    private let start = Instant(nanoseconds: 5_000_000_000)

    private func change(_ path: JSONPointer = "/a", from old: JSON?, to new: JSON?) -> ValueChange {
        ValueChange(path: path, old: old, new: new)
    }

    private func saved(_ changes: ValueChange..., limits: OwnWriteLog.Limits = OwnWriteLog.Limits()) -> OwnWriteLog {
        var own = OwnWriteLog(limits: limits)
        own.saved(changes, at: start)
        return own
    }

    @Test("A reverted value is a stale write until just before a second has passed, and a revert from then on")
    func second() {
        let own = saved(change(from: 1, to: 2))
        #expect(own.revertKind(of: 1, at: "/a", at: start) == .staleWrite)
        #expect(own.revertKind(of: 1, at: "/a", at: start + (Duration.seconds(1) - .nanoseconds(1))) == .staleWrite)
        #expect(own.revertKind(of: 1, at: "/a", at: start + .seconds(1)) == .revert)
    }

    @Test("A revert is recognized until just before an hour has passed, then the write is forgotten")
    func hour() {
        var own = saved(change(from: 1, to: 2))
        #expect(own.revertKind(of: 1, at: "/a", at: start + (Duration.seconds(3_600) - .nanoseconds(1))) == .revert)
        #expect(own.revertKind(of: 1, at: "/a", at: start + .seconds(3_600)) == .none)
        own.saved([], at: start + (Duration.seconds(3_600) - .nanoseconds(1)))
        #expect(!own.isEmpty)
        own.saved([], at: start + .seconds(3_600))
        #expect(own.isEmpty && own.count == 0)
    }

    @Test("Only the replaced value at the same path counts as reverted") func others() {
        let own = saved(change(from: 1, to: 2), change("/b", from: nil, to: "x"))
        #expect(own.revertKind(of: 3, at: "/a", at: start) == .none)
        #expect(own.revertKind(of: 2, at: "/a", at: start) == .none)
        #expect(own.revertKind(of: nil, at: "/a", at: start) == .none)
        #expect(own.revertKind(of: 1, at: "/b", at: start) == .none)
        #expect(own.revertKind(of: nil, at: "/b", at: start) == .staleWrite)
        #expect(own.revertKind(of: 1.0, at: "/a", at: start) == .staleWrite)
    }

    @Test("A large array is recognized by its elements and their places") func largeArray() {
        var versions = [JSONArray((0..<100).map { JSON($0) })]
        for index in [7, 99, 7] {
            var next = versions.last!
            next[index] = JSON("x\(versions.count)")
            versions.append(next)
        }
        var own = OwnWriteLog()
        for (old, new) in zip(versions, versions.dropFirst()) {
            own.saved([change(from: .array(old), to: .array(new))], at: start)
        }
        func kind(_ elements: [JSON]) -> OwnWriteLog.RevertKind {
            own.revertKind(of: .array(JSONArray(elements)), at: "/a", at: start)
        }
        for version in versions.dropLast() { #expect(kind(Array(version)) == .staleWrite) }
        #expect(own.isLastWritten(.array(JSONArray(Array(versions.last!))), at: "/a"))
        let first = Array(versions[0])
        #expect(kind(Array(versions.last!)) == .none && kind(first.reversed()) == .none)
        #expect(kind(Array(first.dropLast())) == .none && kind(first + [100]) == .none)
    }

    @Test("A value is restored only once within the stale write window") func once() {
        var own = saved(change(from: 1, to: 2))
        own.restored("/a", from: 1, at: start)
        #expect(own.revertKind(of: 1, at: "/a", at: start + .milliseconds(1)) == .revert)
        // The save that restores the value overwrites it once more.
        own.saved([change(from: 1, to: 2)], at: start + .milliseconds(2))
        #expect(own.revertKind(of: 1, at: "/a", at: start + .milliseconds(3)) == .revert)
        own.saved([change(from: 1, to: 2)], at: start + (Duration.milliseconds(1_002) - .nanoseconds(1)))
        #expect(own.revertKind(of: 1, at: "/a", at: start + .milliseconds(1_003)) == .revert)
    }

    @Test("A value is restored only once even if the restoring save takes long") func slow() {
        var own = saved(change(from: 1, to: 2))
        own.restored("/a", from: 1, at: start + .milliseconds(900))
        own.saved([change(from: 1, to: 2)], at: start + .milliseconds(1_500))
        #expect(own.revertKind(of: 1, at: "/a", at: start + .milliseconds(1_501)) == .revert)
    }

    @Test("A value that is replaced again after the stale write window can be restored once more") func anew() {
        var own = saved(change(from: 1, to: 2))
        own.restored("/a", from: 1, at: start)
        own.saved([change(from: 1, to: 3)], at: start + .seconds(1))
        #expect(own.revertKind(of: 1, at: "/a", at: start + .seconds(1)) == .staleWrite)
    }

    @Test("Each earlier value of a path is recognized, with a window of its own") func history() {
        var own = OwnWriteLog()
        for number in 0..<5 {
            let change = change(from: JSON(number), to: JSON(number + 1))
            own.saved([change], at: start + .milliseconds(100 * number))
        }
        for number in 0..<5 {
            #expect(own.revertKind(of: JSON(number), at: "/a", at: start + .milliseconds(500)) == .staleWrite)
        }
        #expect(own.revertKind(of: 0, at: "/a", at: start + .seconds(1)) == .revert)
        #expect(own.revertKind(of: 1, at: "/a", at: start + .seconds(1)) == .staleWrite)
        #expect(own.isLastWritten(5, at: "/a") && !own.isLastWritten(4, at: "/a") && !own.isLastWritten(5, at: "/b"))
    }

    @Test("A path whose value the session removed counts as written by it") func removed() {
        let own = saved(change(from: 1, to: nil))
        #expect(own.isLastWritten(nil, at: "/a"))
        #expect(!own.isLastWritten(nil, at: "/b"))
        #expect(own.revertKind(of: 1, at: "/a", at: start) == .staleWrite)
    }

    @Test("The log holds a limited number of writes and forgets the oldest first") func most() {
        var own = OwnWriteLog()
        own.saved((0..<6_000).map { change(JSONPointer(["k\($0)"]), from: 1, to: 2) }, at: start)
        #expect(own.count == 6_000)
        #expect(own.revertKind(of: 1, at: "/k0", at: start) == .staleWrite)
        own.saved([change("/new", from: 1, to: 2)], at: start + .milliseconds(1))
        #expect(own.count == 6_000)
        #expect(own.revertKind(of: 1, at: "/k0", at: start + .milliseconds(1)) == .none)
        #expect(own.revertKind(of: 1, at: "/k1", at: start + .milliseconds(1)) == .staleWrite)
        #expect(own.revertKind(of: 1, at: "/new", at: start + .milliseconds(1)) == .staleWrite)
    }

    @Test("A value that was replaced twice is forgotten with its second replacement") func twice() {
        var own = saved(change(from: 1, to: 2), limits: OwnWriteLog.Limits(capacity: 2))
        own.saved([change(from: 1, to: 3)], at: start + .milliseconds(1))
        own.saved([change("/b", from: 1, to: 2)], at: start + .milliseconds(2))
        #expect(own.revertKind(of: 1, at: "/a", at: start + .milliseconds(2)) == .staleWrite)
        own.saved([change("/b", from: 2, to: 3)], at: start + .milliseconds(3))
        #expect(own.revertKind(of: 1, at: "/a", at: start + .milliseconds(3)) == .none)
        #expect(own.count == 2)
    }

    @Test("A log without a stale write window stays empty") func never() {
        let own = saved(change(from: 1, to: 2), limits: OwnWriteLog.Limits(staleWriteWindow: .zero))
        #expect(own.revertKind(of: 1, at: "/a", at: start) == .none)
        #expect(own.isEmpty)
    }

    @Test("Values are distinguished by type, nesting and order") func kinds() {
        let values: [JSON] = [
            .null, false, 0, "", "0", [], [:], [0], ["0": 0], [0, 1], [1, 0], [[0], 1], [[0, 1]], ["a": 1, "b": 2],
            ["a": 2, "b": 1],
        ]
        for value in values {
            let own = saved(change(from: value, to: "new"))
            for other in values {
                #expect(own.revertKind(of: other, at: "/a", at: start) == (other == value ? .staleWrite : .none))
            }
        }
    }
}

extension OwnWriteLog {
    mutating func saved(_ changes: [ValueChange], at moment: Instant) {
        // Time has passed even if nothing was changed.
        append([record(changes, at: moment) ?? .writes([], at: moment)])
    }

    mutating func restored(_ path: JSONPointer, from value: JSON?, at moment: Instant) {
        append([.restored(path, from: value, at: moment)])
    }
}
