import DurableFiles
import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("Write intents") struct WriteIntentsTests {
    private let digest = Digest(Array("{}".utf8))

    private func intents(_ changes: ValueChange..., at time: UInt32 = 1_000) -> WriteIntents {
        var intents = WriteIntents(at: time)
        intents.add(changes)
        return intents
    }

    @Test("Write intents are decoded from their marker, including those of removed values") func note() {
        let made = intents(
            ValueChange(path: "/a/b", old: 1, new: 2), ValueChange(path: "/c", old: "x", new: nil))
        let read = WriteIntents(made.marker(for: digest), with: digest, at: 1_010)
        #expect(read.contains(2, at: "/a/b") && read.contains(nil, at: "/c"))
        #expect(!read.contains(1, at: "/a/b") && !read.contains(2, at: "/a") && !read.contains("", at: "/c"))
    }

    @Test("A large array is recognized by its elements and their places, in another process, too") func largeArray() {
        let old = JSONArray((0..<100).map { JSON($0) })
        var next = old
        next[50] = "x"
        _ = intents(ValueChange(path: "/a", old: nil, new: .array(old)))
        let made = intents(ValueChange(path: "/a", old: .array(old), new: .array(next)))
        let read = WriteIntents(made.marker(for: digest), with: digest, at: 1_010)
        let elements = Array(next)
        #expect(read.contains(.array(JSONArray(elements)), at: "/a"))
        #expect(!read.contains(.array(JSONArray(elements.reversed())), at: "/a"))
        #expect(!read.contains(.array(old), at: "/a") && !read.contains(.array(next), at: "/b"))
    }

    @Test("A marker that is outdated, damaged or of other bytes contains no intents") func others() {
        let note = intents(ValueChange(path: "/a", old: 1, new: 2)).marker(for: digest)
        #expect(!WriteIntents(note, with: Digest(Array("{ }".utf8)), at: 1_000).contains(2, at: "/a"))
        #expect(!WriteIntents(note, with: digest, at: 1_011).contains(2, at: "/a"))
        for odd in [nil, [], Array(note.dropLast()), Array(note.dropLast(2)), [UInt8](repeating: 0, count: 12)] {
            #expect(!WriteIntents(odd, with: digest, at: 1_000).contains(2, at: "/a"))
        }
    }

    @Test("Write intents accumulate over saves, and only the newest are kept") func chain() {
        var intents = intents()
        for number in 0..<100 {
            intents.add([ValueChange(path: "/a", old: nil, new: JSON(number))])
            intents = WriteIntents(intents.marker(for: digest), with: digest, at: 1_000)
        }
        #expect(intents.marker(for: digest).count == 12 + 20 * 2)
        #expect(intents.contains(99, at: "/a") && intents.contains(80, at: "/a"))
        #expect(!intents.contains(79, at: "/a"))
    }
}
