import LosslessJSON
import Testing

@testable import sessionctl

@Suite("Highlights of recent changes") struct HighlightsTests {
    private let start = ContinuousClock.now
    private let duration = Highlights.duration

    @Test("A change is highlighted until its time is over, at its path and below") func time() {
        var highlights = Highlights()
        highlights.add(JSONChange(at: "a.b", from: 1, to: ["c": 2]), at: start)
        for path in [["a", "b"], ["a", "b", "c"]] {
            let found = highlights.found(at: path, 2, now: start + duration - .nanoseconds(1))
            #expect(found.kind == .changed && found.end == start + duration)
            #expect(highlights.found(at: path, 2, now: start + duration) == Highlights.Found())
        }
        let above = highlights.found(at: ["a"], ["b": 1], now: start)
        #expect(above.kind == nil && above.isChangedBelow)
        #expect(highlights.found(at: ["x"], 2, now: start) == Highlights.Found())
    }

    @Test("The later change counts, also across generations") func later() {
        var highlights = Highlights()
        highlights.add(JSONChange(at: "a", from: nil, to: 1), at: start)
        highlights.add(JSONChange(at: "z", from: nil, to: 1), at: start + duration / 2)
        highlights.add(JSONChange(at: "a", from: 1, to: 2), at: start + duration)
        #expect(highlights.found(at: ["a"], 2, now: start + duration).kind == .changed)
        #expect(highlights.found(at: ["z"], 2, now: start + duration).kind == .added)
        highlights.add(JSONChange(at: "b", from: 1, to: 2), at: start + duration * 2)
        highlights.add(JSONChange(at: "b", from: 1, to: 2), at: start + duration * 3)
        #expect(highlights.found(at: ["a"], 2, now: start + duration * 3).end == nil)
    }

    @Test("The container shows removed members, until one is there again") func removed() {
        var highlights = Highlights()
        for key in ["y", "x"] { highlights.add(JSONChange(at: JSONPointer(["a", key]), from: 1, to: nil), at: start) }
        let found = highlights.found(at: ["a"], ["z": 1], now: start)
        #expect(found.kind == nil && found.removed == ["x", "y"])
        #expect(highlights.found(at: ["a"], ["x": 1], now: start).removed == ["y"])
        #expect(highlights.found(at: ["a"], [:], now: start + duration).removed == [])
    }
}
