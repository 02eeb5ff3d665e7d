import LosslessJSON
import Testing

@Suite("Merging arrays by rules") struct ArrayMergingTests {
    struct Example: Sendable {
        let base: JSON?
        let ours: JSON
        let theirs: JSON
        /// nil if the whole array is a conflict.
        let merged: JSON?

        init(_ base: JSON?, _ ours: JSON, _ theirs: JSON, _ merged: JSON?) {
            (self.base, self.ours, self.theirs, self.merged) = (base, ours, theirs, merged)
        }
    }

    /// Merges an array that is a member of an object.
    private func merge(_ merging: JSONArrayMerging, _ example: Example) -> JSONMerge {
        JSON.merge(
            base: example.base.map { ["list": $0] } ?? [:], ours: ["list": example.ours],
            theirs: ["list": example.theirs], arrays: ["list": merging])
    }

    private func check(_ merging: JSONArrayMerging, _ example: Example) {
        let merged = merge(merging, example)
        #expect(merged.value == ["list": example.merged ?? example.ours])
        let whole = JSONConflict(path: "list", base: example.base, ours: example.ours, theirs: example.theirs)
        #expect(merged.conflicts == (example.merged == nil ? [whole] : []))
    }

    static let sets: [Example] = [
        Example([1], [1, 2], [1, 3], [1, 3, 2]),
        Example([1, 2, 3], [1, 3], [2, 3, 4], [3, 4]),
        Example([1, 2], [2], [1], []),
        Example([1, 2], [2, 3], [1, 3], [3]),
        Example([], [2, 1, 3], [3, 4, 1], [3, 4, 1, 2]),
        Example(nil, [1, 2], [3, 2], [3, 2, 1]),
        Example("text", [1], [2], [2, 1]),
        Example([1, 2, 3], [3, 2, 1, 4], [1, 2, 3, 5], [1, 2, 3, 5, 4]),
        Example([1], [1, 2, 2, 3], [1, 4, 4, 2], [1, 4, 2, 3]),
        Example([1, 1], [1, 1, 2], [1, 1, 3], [1, 3, 2]),
        Example([1], [1.0, "1"], [1e0, 1.5], [1, 1.5, "1"]),
        Example([["a": 1]], [["a": 2]], [["a": 3]], [["a": 3], ["a": 2]]),
        Example([["a": 1, "b": 2]], [["b": 2, "a": 1], 1], [2, ["a": 1, "b": 2]], [2, ["a": 1, "b": 2], 1]),
        Example([[1], [2]], [[1], [2], [3]], [[2], []], [[2], [], [3]]),
    ]

    @Test("A set has the elements that one side added, without those that one side removed", arguments: sets)
    func union(example: Example) { check(.union, example) }

    static let logs: [Example] = [
        Example([1], [1, 2], [1, 3], [1, 3, 2]),
        Example([1], [1, 2, 3], [1, 3, 2], [1, 3, 2, 2, 3]),
        Example([], [1], [2], [2, 1]),
        Example(nil, [1], [2, 1], [2, 1, 1]),
        Example(nil, [1, 2, 3], [1, 2, 4], [1, 2, 4, 3]),
        Example(nil, [1, 2, 3], [1, 2], [1, 2, 3]),
        Example("text", [1], [2], [2, 1]),
        // The same change.
        Example([1], [1, 2], [1, 2], [1, 2]),
        // Shortened at the beginning.
        Example([1, 2, 3], [2, 3, 4], [1, 2, 3, 5], [2, 3, 5, 4]),
        Example([1, 2, 3], [2, 3, 4], [2, 3, 5], [2, 3, 5, 4]),
        Example([1, 2, 3], [3, 4, 5], [2, 3, 6], [3, 6, 4, 5]),
        Example([7, 8, 7, 9], [8, 7, 9, 1], [7, 9, 2], [7, 9, 2, 1]),
        Example([7, 7], [7, 8], [7, 7, 9], [7, 9, 8]),
        // Other elements removed, or all.
        Example([1, 2, 3, 4], [1, 3, 4, 5], [1, 2, 4, 6], [1, 4, 6, 5]),
        Example([1, 2, 3], [1, 2], [1, 2, 3, 4], [1, 2, 4]),
        Example([1, 2, 3], [], [1, 2, 3, 4], [4]),
        Example([1, 2, 3], [1], [2], []),
        // Changed or inserted elements.
        Example([1, 2, 3], [1, 9, 3], [1, 2, 3, 4], [1, 9, 3, 4]),
        Example([1, 2, 3], [1, 2, 3, 4], [0, 1, 2, 3], [0, 1, 2, 3, 4]),
        Example([1, 2, 3], [1, 9, 3, 5], [1, 2, 3, 4], [1, 9, 3, 5, 4]),
        Example([1, 2, 3], [8], [1, 2, 3, 4], [8, 4]),
        Example([1, 2, 3], [2, 3, 4], [1, 2, 9], [2, 9, 4]),
        Example([1, 2, 3], [9, 2, 3], [1, 8, 3], [9, 8, 3]),
        Example([1, 2, 3], [9, 2, 3], [1, 0, 2, 3], [9, 0, 2, 3]),
        Example([["a": 1, "b": 1]], [["a": 2, "b": 1]], [["a": 1, "b": 2]], [["a": 2, "b": 2]]),
        // Contradictions.
        Example([1, 2, 3], [2, 3, 4], [9, 2, 3], nil),
        Example([1, 2, 3], [1, 9, 3, 4], [1, 2, 8, 5], nil),
        Example([1, 2, 3], [7, 8], [9], nil),
    ]

    @Test("A log has what both sides appended after what both kept, unless they contradict each other", arguments: logs)
    func append(example: Example) { check(.append, example) }

    @Test("Elements of a log that both sides changed differently conflict one by one") func changedLog() {
        let merged = merge(.append, Example([1, 2], [1, 9], [1, 8], nil))
        #expect(merged.value == ["list": [1, 9]])
        #expect(merged.conflicts == [JSONConflict(path: "list.1", base: 2, ours: 9, theirs: 8)])
    }

    private static func server(_ id: JSON, _ port: JSON) -> JSON { ["id": id, "port": port] }
    private static let (a, b, c, d) = (server("a", 1), server("b", 1), server("c", 1), server("d", 1))
    private static let (a2, b2) = (server("a", 2), server("b", 2))

    static let lists: [Example] = [
        Example([a], [a, b], [a, c], [a, c, b]),
        Example([a, b], [a2, b], [a, b2], [a2, b2]),
        Example([a, b], [a2, b, c], [b, a, d], [b, a2, d, c]),
        Example([a, b, c], [a, c], [b, c, d], [c, d]),
        Example([a, b], [a], [a, b, c], [a, c]),
        Example([a, b], [b], [a], []),
        Example(nil, [a], [b], [b, a]),
        Example("text", [a], [b], [b, a]),
        // Our order counts if only our side reordered elements, or if the other side added none.
        Example([a, b], [b, a], [a, b, c], [b, a, c]),
        Example([a, b], [a, c, b], [a, b2], [a, c, b2]),
        Example([a, b], [c, a, b], [b], [c, b]),
        Example([a, b], [a, b, c], [b, a], [b, a, c]),
        Example([a, b, c], [b, a, c, d], [c, b, a], [c, b, a, d]),
        // Members are merged; both sides may add the same element.
        Example(
            [["id": 1, "x": [1], "y": 1]], [["id": 1, "x": [2], "y": 1, "z": 3]],
            [["id": 1.0, "x": [1], "y": 2], [:]],
            nil),
        Example(
            [["id": 1, "x": [1], "y": 1]], [["id": 1, "x": [2], "y": 1, "z": 3]], [["id": 1.0, "x": [1], "y": 2], a],
            [["id": 1, "x": [2], "y": 2, "z": 3], a]),
        Example(
            [], [["id": 1, "x": 1], a], [a, ["id": 1, "y": 2]], [a, ["id": 1, "x": 1, "y": 2]]),
        Example([], [server("1", 1)], [server(1, 2)], [server(1, 2), server("1", 1)]),
        // Without unique identities, as a whole.
        Example([a, 1], [a2, 1], [a, 2], [a2, 2]),
        Example([a, a], [a, a, b], [a, a, c], nil),
        Example([a], [a, b, b], [a, c], nil),
        Example([a], [a, b], [a, ["port": 1]], nil),
        Example([a], [a, server(nil, 1)], [a, c], nil),
        Example([a], [a, server(["x"], 1)], [a, c], nil),
        Example(nil, [1], [2], nil),
    ]

    @Test("Objects of a list are merged by their identity, if it is unique", arguments: lists)
    func byIdentity(example: Example) { check(.byIdentity("id"), example) }

    @Test("Conflicts of identified objects are those of their members, at the index in the merged array")
    func memberConflicts() {
        let merged = merge(
            .byIdentity("id"),
            Example(
                [Self.a, Self.b], [Self.server("a", 7), Self.server("b", 7)],
                [Self.c, Self.b2, Self.a], nil))
        #expect(merged.value == ["list": [Self.c, Self.server("b", 7), Self.server("a", 7)]])
        #expect(merged.conflicts == [JSONConflict(path: "list.1.port", base: 1, ours: 7, theirs: 2)])
        #expect(merged.value[at: merged.conflicts[0].path] == 7)

        let both = merge(.byIdentity("id"), Example([], [Self.a], [Self.b, Self.a2], nil))
        #expect(both.value == ["list": [Self.b, Self.a]])
        #expect(both.conflicts == [JSONConflict(path: "list.1.port", base: nil, ours: 1, theirs: 2)])
    }

    @Test("An object that one side removed and the other changed is a conflict of that object") func removedObject() {
        let example = Example([Self.a, Self.b], [Self.b, Self.c], [Self.a2, Self.b, Self.d], nil)
        for (side, list) in [
            (JSONMerge.Side.ours, [Self.b, Self.d, Self.c] as JSON), (.theirs, [Self.a2, Self.b, Self.d, Self.c]),
        ] {
            let merged = JSON.merge(
                base: example.base!, ours: example.ours, theirs: example.theirs, arrays: ["": .byIdentity("id")],
                preferring: side)
            #expect(merged.value == list)
            #expect(merged.conflicts == [JSONConflict(path: "/0", base: Self.a, ours: nil, theirs: Self.a2)])
        }
        let mirrored = JSON.merge(
            base: example.base!, ours: example.theirs, theirs: example.ours, arrays: ["": .byIdentity("id")])
        #expect(mirrored.value == [Self.b, Self.c, Self.a2, Self.d])
        #expect(mirrored.conflicts == [JSONConflict(path: "/2", base: Self.a, ours: Self.a2, theirs: nil)])
    }

    @Test("The first rule whose pattern matches the path of an array applies") func rules() {
        let rules: JSONArrayRules = [
            "tenants.special.hosts": .whole, "tenants.*.hosts": .union, "*.*.hosts": .append, "": .byIdentity("id"),
        ]
        #expect(rules.merging(at: "tenants.special.hosts") == .whole)
        #expect(rules.merging(at: "tenants.other.hosts") == .union)
        #expect(rules.merging(at: "users.0.hosts") == .append)
        #expect(rules.merging(at: "") == .byIdentity("id"))
        #expect(rules.merging(at: "tenants.other") == .whole)
        let base: JSON = ["tenants": ["special": ["hosts": []], "x": ["hosts": []]], "users": ["y": ["hosts": []]]]
        func with(_ element: JSON) -> JSON {
            [
                "tenants": ["special": ["hosts": [element]], "x": ["hosts": [element, 0]]],
                "users": ["y": ["hosts": [element, 0]]],
            ]
        }
        let merged = JSON.merge(base: base, ours: with(1), theirs: with(2), arrays: rules)
        #expect(
            merged.value == [
                "tenants": ["special": ["hosts": [1]], "x": ["hosts": [2, 0, 1]]],
                "users": ["y": ["hosts": [2, 0, 1, 0]]],
            ])
        #expect(merged.conflicts.map(\.path) == ["tenants.special.hosts"])
    }

    @Test("Rules apply to arrays inside elements that are merged by identity") func nested() {
        let merged = JSON.merge(
            base: ["servers": [["id": 1, "peers": []]]], ours: ["servers": [["id": 1, "peers": ["a"]]]],
            theirs: ["servers": [["id": 2], ["id": 1, "peers": ["b"]]]],
            arrays: ["servers": .byIdentity("id"), "servers.*.peers": .union])
        #expect(merged.value == ["servers": [["id": 2], ["id": 1, "peers": ["b", "a"]]]])
        #expect(merged.conflicts.isEmpty)
    }

    @Test("A resolver that returns nil removes the element of an array merged by identity") func dropped() {
        let merged = JSON.merge(
            base: [Self.a, Self.b], ours: [Self.b, Self.c], theirs: [Self.a2, Self.b, Self.d],
            arrays: ["": .byIdentity("id")]
        ) { _ in nil }
        #expect(merged.value == [Self.b, Self.d, Self.c])
    }
}
