import LosslessJSON
import Testing

@Suite("Merging") struct MergeTests {
    private func merge(_ base: JSON, _ ours: JSON, _ theirs: JSON) -> JSONMerge {
        JSON.merge(base: base, ours: ours, theirs: theirs)
    }

    @Test("Changes of only one side are merged from both sides") func bothSides() {
        let merged = merge(
            ["port": 1, "host": "a", "old": 1], ["port": 2, "host": "a", "old": 1, "mine": true],
            ["port": 1, "host": "b"])
        #expect(merged.value == ["port": 2, "host": "b", "mine": true])
        #expect(merged.conflicts.isEmpty)
    }

    @Test("Identical changes of both sides are merged once") func same() {
        let merged = merge(["a": 1], ["a": 2, "b": [1]], ["a": 2.0, "b": [1]])
        #expect(merged.value == ["a": 2, "b": [1]])
        #expect(merged.conflicts.isEmpty)
    }

    @Test("Nested objects are merged member by member") func deep() {
        let merged = merge(
            ["http": ["port": 1, "tls": ["on": false]]], ["http": ["port": 2, "tls": ["on": false]]],
            ["http": ["port": 1, "tls": ["on": true]]])
        #expect(merged.value == ["http": ["port": 2, "tls": ["on": true]]])
        #expect(merged.conflicts.isEmpty)
    }

    @Test("A conflict has the path and all three values") func conflict() {
        let merged = merge(
            ["http": ["port": 1, "x": 0]], ["http": ["port": 2, "x": 0]], ["http": ["port": 3, "x": 1]])
        #expect(merged.value == ["http": ["port": 2, "x": 1]])
        #expect(merged.conflicts == [JSONConflict(path: "http.port", base: 1, ours: 2, theirs: 3)])
        #expect(merged.conflicts[0].description == "http.port: 1 became 2 here and 3 there")
    }

    @Test("The preferred side wins conflicts") func preferring() {
        let merged = JSON.merge(
            base: ["a": 1, "b": 1], ours: ["a": 2, "b": 1], theirs: ["a": 3, "b": 4], preferring: .theirs)
        #expect(merged.value == ["a": 3, "b": 4])
    }

    @Test("The resolver is called once per conflict and its result is used") func resolving() {
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

    @Test("A removal on one side and a change on the other conflict") func removal() {
        let merged = merge(["a": ["x": 1], "b": 1], ["b": 1], ["a": ["x": 2], "b": 1])
        #expect(merged.value == ["b": 1])
        #expect(merged.conflicts == [JSONConflict(path: "a", base: ["x": 1], ours: nil, theirs: ["x": 2])])
        #expect(merged.conflicts[0].description == #"a: {"x":1} became nothing here and {"x":2} there"#)
        let mirrored = JSON.merge(base: ["a": 1], ours: ["a": 2], theirs: [:], preferring: .theirs)
        #expect(mirrored.value == [:])
    }

    @Test("Objects added on both sides are merged member by member") func begun() {
        let merged = merge([:], ["http": ["port": 1, "both": 1]], ["http": ["tls": true, "both": 2]])
        #expect(merged.value == ["http": ["port": 1, "both": 1, "tls": true]])
        #expect(merged.conflicts == [JSONConflict(path: "http.both", base: nil, ours: 1, theirs: 2)])
    }

    @Test("Changes to different kinds of values conflict") func kinds() {
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
        /// nil if the whole array is a conflict.
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

    @Test("Array edits are merged by index or by inserted range, and overlapping edits conflict", arguments: arrayCases)
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

    @Test("Edits of different elements of a large array are merged") func largeArrays() {
        let base = JSON.array(JSONArray((0..<1_000).map { JSON($0) }))
        var (ours, theirs) = (base, base)
        ours[500] = "ours"
        theirs[10] = nil
        var both = ours
        both[10] = nil
        #expect(merge(base, ours, theirs).value == both)
        #expect(merge(base, theirs, ours).value == both)
    }

    @Test("A resolver that returns nil removes the conflicting element") func droppedElement() {
        let merged = JSON.merge(base: [1, 2, 3], ours: [1, 4, 3], theirs: [1, 5, 6]) { _ in nil }
        #expect(merged.value == [1, 6])
    }

    @Test("The merged object keeps our order and appends members that they added") func order() {
        let merged = merge(["b": 1, "a": 2], ["b": 1, "a": 2, "z": 3], ["y": 4, "a": 2, "b": 1])
        #expect(merged.value.object?.map(\.key) == ["b", "a", "z", "y"])
    }

    @Test("The merged value shares unchanged values with both sides") func sharing() throws {
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
