import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("What cooperating programs put into a file on purpose") struct IntentionsTests {
    private let bytes = Array("{}".utf8)

    private func intentions(_ changes: ValueChange..., at time: UInt32 = 1_000) -> Intentions {
        var intentions = Intentions(at: time)
        intentions.add(changes)
        return intentions
    }

    @Test("is read again from the note beside the bytes, values by their paths, and values that are gone") func note() {
        let made = intentions(
            ValueChange(path: "/a/b", old: 1, new: 2), ValueChange(path: "/c", old: "x", new: nil))
        let read = Intentions(made.note(for: bytes), with: bytes, at: 1_010)
        #expect(read.contains(2, at: "/a/b") && read.contains(nil, at: "/c"))
        #expect(!read.contains(1, at: "/a/b") && !read.contains(2, at: "/a") && !read.contains("", at: "/c"))
    }

    @Test("is nothing where the note is of other bytes, too old, or no note") func others() {
        let note = intentions(ValueChange(path: "/a", old: 1, new: 2)).note(for: bytes)
        #expect(!Intentions(note, with: Array("{ }".utf8), at: 1_000).contains(2, at: "/a"))
        #expect(!Intentions(note, with: bytes, at: 1_011).contains(2, at: "/a"))
        for odd in [nil, [], Array(note.dropLast()), Array(note.dropLast(2)), [UInt8](repeating: 0, count: 12)] {
            #expect(!Intentions(odd, with: bytes, at: 1_000).contains(2, at: "/a"))
        }
    }

    @Test("goes on from save to save, and keeps the newest") func chain() {
        var intentions = intentions()
        for number in 0..<100 {
            intentions.add([ValueChange(path: "/a", old: nil, new: JSON(number))])
            intentions = Intentions(intentions.note(for: bytes), with: bytes, at: 1_000)
        }
        #expect(intentions.note(for: bytes).count == 12 + 20 * 2)
        #expect(intentions.contains(99, at: "/a") && intentions.contains(80, at: "/a"))
        #expect(!intentions.contains(79, at: "/a"))
    }
}
