import LosslessJSON
import Testing

@Suite("Merging") struct MergeTests {
    private func merge(_ base: JSON, _ ours: JSON, _ theirs: JSON) -> JSONMerge {
        JSON.merge(base: base, ours: ours, theirs: theirs)
    }

    @Test("takes what only one side changed from that side") func bothSides() {
        let merged = merge(
            ["port": 1, "host": "a", "old": 1], ["port": 2, "host": "a", "old": 1, "mine": true],
            ["port": 1, "host": "b"])
        #expect(merged.value == ["port": 2, "host": "b", "mine": true])
        #expect(merged.conflicts.isEmpty)
    }

    @Test("takes what both made the same once") func same() {
        let merged = merge(["a": 1], ["a": 2, "b": [1]], ["a": 2.0, "b": [1]])
        #expect(merged.value == ["a": 2, "b": [1]])
        #expect(merged.conflicts.isEmpty)
    }

    @Test("goes down to single members") func deep() {
        let merged = merge(
            ["http": ["port": 1, "tls": ["on": false]]], ["http": ["port": 2, "tls": ["on": false]]],
            ["http": ["port": 1, "tls": ["on": true]]])
        #expect(merged.value == ["http": ["port": 2, "tls": ["on": true]]])
        #expect(merged.conflicts.isEmpty)
    }

    @Test("says where both changed differently, with all three values") func conflict() {
        let merged = merge(
            ["http": ["port": 1, "x": 0]], ["http": ["port": 2, "x": 0]], ["http": ["port": 3, "x": 1]])
        #expect(merged.value == ["http": ["port": 2, "x": 1]])
        #expect(merged.conflicts == [JSONConflict(path: "http.port", base: 1, ours: 2, theirs: 3)])
        #expect(merged.conflicts[0].description == "http.port: 1 became 2 here and 3 there")
    }

    @Test("prefers the side it is told to") func preferring() {
        let merged = JSON.merge(
            base: ["a": 1, "b": 1], ours: ["a": 2, "b": 1], theirs: ["a": 3, "b": 4], preferring: .theirs)
        #expect(merged.value == ["a": 3, "b": 4])
    }

    @Test("asks what becomes of each conflict") func resolving() {
        var asked: [JSONConflict] = []
        let merged = JSON.merge(
            base: ["a": 1, "b": 1, "c": 1], ours: ["a": 2, "b": 2, "c": 2], theirs: ["a": 3, "b": 3, "c": 3]
        ) { conflict in
            asked.append(conflict)
            return conflict.path == "a" ? 5 : conflict.path == "b" ? nil : conflict.theirs
        }
        #expect(merged.value == ["a": 5, "c": 3])
        #expect(asked == merged.conflicts && asked.count == 3)
    }

    @Test("of a removal and a change is a conflict") func removal() {
        let merged = merge(["a": ["x": 1], "b": 1], ["b": 1], ["a": ["x": 2], "b": 1])
        #expect(merged.value == ["b": 1])
        #expect(merged.conflicts == [JSONConflict(path: "a", base: ["x": 1], ours: nil, theirs: ["x": 2])])
        #expect(merged.conflicts[0].description == #"a: {"x":1} became nothing here and {"x":2} there"#)
        let mirrored = JSON.merge(base: ["a": 1], ours: ["a": 2], theirs: [:], preferring: .theirs)
        #expect(mirrored.value == [:])
    }

    @Test("of objects that both began puts their members together") func begun() {
        let merged = merge([:], ["http": ["port": 1, "both": 1]], ["http": ["tls": true, "both": 2]])
        #expect(merged.value == ["http": ["port": 1, "both": 1, "tls": true]])
        #expect(merged.conflicts == [JSONConflict(path: "http.both", base: nil, ours: 1, theirs: 2)])
    }

    @Test("of another kind on each side is a conflict") func kinds() {
        let merged = merge(["a": [1]], ["a": ["x": 1]], ["a": "text"])
        #expect(merged.value == ["a": ["x": 1]])
        #expect(merged.conflicts.map(\.path) == ["a"])
        #expect(merge(1, 2, 3).conflicts == [JSONConflict(path: "", base: 1, ours: 2, theirs: 3)])
        #expect(merge(1, 2, 3).conflicts[0].description == "the whole value: 1 became 2 here and 3 there")
        #expect(JSON.merge(base: 1, ours: 2, theirs: 3) { _ in nil }.value == .null)
    }

    struct ArrayCase: Sendable {
        let base: JSON
        let ours: JSON
        let theirs: JSON
        /// nil where the whole array is a conflict.
        let merged: JSON?
    }

    static let arrayCases: [ArrayCase] = [
        ArrayCase(base: [1, 2, 3], ours: [1, 5, 3], theirs: [1, 2, 6], merged: [1, 5, 6]),
        ArrayCase(base: [1, 2, 3], ours: [1, 2, 3, 4], theirs: [9, 2, 3], merged: [9, 2, 3, 4]),
        ArrayCase(base: [1, 2, 3], ours: [9, 2, 3], theirs: [0, 1, 2, 3], merged: [0, 9, 2, 3]),
        ArrayCase(base: [1, 2, 3], ours: [1, 3], theirs: [1, 2, 9], merged: [1, 9]),
        ArrayCase(base: [1, 2, 3], ours: [1, 3], theirs: [1, 9, 3], merged: nil),
        ArrayCase(base: [1, 2, 3], ours: [1, 2, 3, 4], theirs: [1, 2, 3, 4], merged: [1, 2, 3, 4]),
        ArrayCase(base: [1, 2, 3], ours: [1, 2, 3, 4], theirs: [1, 2, 3, 5], merged: nil),
        ArrayCase(base: [1, 2, 3], ours: [1, 2], theirs: [1, 2, 3, 5], merged: nil),
        ArrayCase(base: [[1], [2]], ours: [[1, 5], [2]], theirs: [[1], [2], [3]], merged: [[1, 5], [2], [3]]),
        ArrayCase(base: [], ours: [1], theirs: [], merged: [1]),
        ArrayCase(base: [1], ours: [], theirs: [1], merged: []),
    ]

    @Test("of arrays is by place, or by what one side put between a beginning and an end", arguments: arrayCases)
    func arrays(example: ArrayCase) {
        for side in [JSONMerge.Side.ours, .theirs] {
            let isMirrored = side == .theirs
            let merged = JSON.merge(
                base: ["list": example.base], ours: ["list": isMirrored ? example.theirs : example.ours],
                theirs: ["list": isMirrored ? example.ours : example.theirs], preferring: side)
            #expect(merged.value == ["list": example.merged ?? example.ours])
            #expect(merged.conflicts.map(\.path) == (example.merged == nil ? ["list"] : []))
        }
    }

    @Test("of large arrays finds what changed") func largeArrays() {
        let base = JSON.array(JSONArray((0..<1_000).map { JSON($0) }))
        var (ours, theirs) = (base, base)
        ours[500] = "ours"
        theirs[10] = nil
        var both = ours
        both[10] = nil
        #expect(merge(base, ours, theirs).value == both)
        #expect(merge(base, theirs, ours).value == both)
    }

    @Test("can drop an element about which both disagree") func droppedElement() {
        let merged = JSON.merge(base: [1, 2, 3], ours: [1, 4, 3], theirs: [1, 5, 6]) { _ in nil }
        #expect(merged.value == [1, 6])
    }

    @Test("keeps our order, and puts what they added behind") func order() {
        let merged = merge(["b": 1, "a": 2], ["b": 1, "a": 2, "z": 3], ["y": 4, "a": 2, "b": 1])
        #expect(merged.value.object?.map(\.key) == ["b", "a", "z", "y"])
    }

    @Test("shares what nobody changed") func sharing() throws {
        let base = try JSON(parsing: #"{"a": {"x": [1, 2]}, "b": {"y": [3, 4]}, "c": [5]}"#)
        var (ours, theirs) = (base, base)
        ours["a"]?["x"] = 1
        theirs["b"]?["y"] = 2
        let merged = merge(base, ours, theirs).value
        #expect(merged["a"]!.isIdentical(to: ours["a"]!))
        #expect(merged["c"]!.isIdentical(to: base["c"]!))
        #expect(merged["b"] == ["y": 2])
    }
}
