import LosslessJSON
import TestSupport
import Testing

@testable import sessionctl

@Suite("Rows of the tree") struct TreeRowsTests {
    private let value: JSON = [
        "a": 1, "b": ["c": 2, "d": [3, [4, 5], ["e": 6]]], "f": [], "g": [:], "h": [["i": 7], ["j": [8]], 9],
    ]

    private func tree(_ value: JSON, _ folds: FoldState = FoldState(isOpen: true)) -> TreeRows {
        var tree = TreeRows()
        tree.addFile()
        tree.show(value, of: 0)
        return tree
    }

    /// The open rows by a plain recursion.
    private func model(_ value: JSON, _ path: [String] = [], isOpen: ([String]) -> Bool) -> [[String]] {
        guard isOpen(path) else { return [path] }
        return value.children.reduce(into: [path]) { $0 += model($1.value, path + [$1.key], isOpen: isOpen) }
    }

    @Test("A small value is open at first, a large container closed") func initialFolds() {
        #expect(tree(value).count == model(value) { _ in true }.count)
        let many = JSON.array(JSONArray((0..<200).map { JSON($0) }))
        #expect(tree(["many": many, "few": [1, 2]]).count == 5)
        #expect(tree(many).count == 201)
        let records = JSON.array(JSONArray((0..<30).map { ["id": JSON($0), "name": "x", "tags": []] }))
        #expect(tree(records).count == 31)
        #expect(tree(["records": records, "few": [[1], [2]]]).count == 1 + 2 + 30 + 2 + 2)
    }

    @Test("Any range of rows is that of all rows, for every combination of open containers") func ranges() {
        let containers = model(value) { _ in true }.filter { (value[at: JSONPointer($0)]?.childCount ?? 0) > 0 }
        for combination in 0..<1 << containers.count {
            let open = Set(containers.indices.filter { combination >> $0 & 1 == 1 }.map { containers[$0] })
            var tree = tree(value)
            for path in containers { tree.setOpen(open.contains(path), at: RowPath(branch: 0, tokens: path)) }
            let expected = model(value) { open.contains($0) }
            #expect(tree.count == expected.count)
            #expect(tree[0..<100].map(\.path.tokens) == expected)
            for start in 0...expected.count {
                for end in start...expected.count where (end - start) < 4 {
                    #expect(tree[start..<end].map(\.path.tokens) == Array(expected[start..<end]))
                }
            }
            for path in model(value, isOpen: { _ in true }) {
                #expect(tree.index(of: RowPath(branch: 0, tokens: path)) == expected.firstIndex(of: path))
            }
        }
    }

    @Test("Large containers with some open members have the right rows") func large() {
        var generator = SeededGenerator(7)
        let record: JSON = ["x": 1, "y": [2, 3]]
        let array = JSON.array(JSONArray((0..<1_000).map { _ in record }))
        let object = JSON.object(JSONObject((0..<1_000).map { ("k\($0)", record) }))
        for value in [array, object] {
            var tree = tree(value)
            var open: Set<[String]> = [[]]
            let keys = value.children.map(\.key)
            for _ in 0..<50 {
                let path = [keys.randomElement(using: &generator)!] + (Bool.random(using: &generator) ? [] : ["y"])
                open.insert(path)
                tree.setOpen(true, at: RowPath(branch: 0, tokens: path))
            }
            let expected = model(value) { open.contains($0) }
            #expect(tree.count == expected.count)
            for _ in 0..<200 {
                let start = Int.random(in: 0..<expected.count, using: &generator)
                let end = min(expected.count, start + 30)
                #expect(tree[start..<end].map(\.path.tokens) == Array(expected[start..<end]))
                #expect(tree.index(of: RowPath(branch: 0, tokens: expected[start])) == start)
            }
        }
    }

    @Test("Keys that differ only in their encoding are different rows") func encodings() {
        var tree = tree(["\u{FC}": ["a": 1], "u\u{308}": ["b": 2]])
        #expect(tree.count == 5)
        tree.setOpen(false, at: RowPath(branch: 0, tokens: ["\u{FC}"]))
        #expect(tree.count == 4)
        #expect(tree.index(of: RowPath(branch: 0, tokens: ["u\u{308}", "b"])) == 3)
    }

    @Test("Paths limit what is shown of each file; a missing value has a row") func paths() {
        var tree = TreeRows()
        for _ in 0..<2 { tree.addFile(paths: ["b.d", "zzz"]) }
        tree.show(value, of: 0)
        #expect(tree.count == 2 * 3 + 6)
        let rows = tree[0..<100]
        #expect(rows.map(\.level).prefix(4) == [0, 1, 2, 2])
        #expect(rows[8].value == nil && rows[8].path.branch == 2)
        #expect(tree.path(of: "b.d.1.0", in: 0) == RowPath(branch: 1, tokens: ["1", "0"]))
        #expect(tree.path(of: "a", in: 0) == nil)
        #expect(tree.path(of: "zzz", in: 1)?.branch == 5)
    }

    @Test("A container that comes back is as open as it was") func reappearing() {
        var tree = tree(value)
        tree.setOpen(false, at: RowPath(branch: 0, tokens: ["h"]))
        let count = tree.count
        tree.show([:], of: 0)
        #expect(tree.count == 1)
        tree.show(value, of: 0)
        #expect(tree.count == count)
    }
}
