import TestSupport
import Testing

@testable import LosslessJSON

/// A text of more than a hundred kilobytes, so that it has marks.
@Suite("Editing from marks") struct EditingFromMarksTests {
    private static func document(_ random: inout SeededGenerator) throws -> JSONDocument {
        let notes = ["", "", " // one, {\n", " /* two: ] */ ", "\n    "]
        let records = (0..<700).map { number in
            let tags = (0..<random.below(6)).map { "\"tag \($0)\"" }.joined(separator: ",\(random.pick(notes))")
            return "\(random.pick(notes))  \"record \(number)\"\(random.pick(["", " "])): {\"id\": \(number),"
                + " \"tags\": [\(tags)], \"text\": \"a text, of [many] letters\"}\(random.pick(notes))"
        }
        let list = (0..<700).map { "[\($0), {\"x\": [0]}]\(random.pick(notes))" }
        return try JSONDocument(
            parsing: """
                {
                "records": {
                \(records.joined(separator: ",\n"))
                },
                "list": [\(list.joined(separator: ", "))],
                "last": [1, 2, 3]
                }
                """)
    }

    /// Changes in one place or in several, mostly of values.
    private static func changed(_ value: JSON, _ step: Int, _ random: inout SeededGenerator) -> JSON {
        var value = value
        for _ in 0..<random.pick([1, 1, 1, 2, 9, 60]) {
            let record = JSONPointer(["records", "record \(random.below(700))"])
            let element = JSONPointer(["list", String(random.below(600))])
            let changed =
                switch random.below(12) {
                case 0: try? value.removing(record)
                case 1: try? value.setting(JSONPointer(["records", "new \(random.below(9))"]), to: [JSON(step)])
                case 2: try? value.removing(element)
                case 3: try? value.setting("list.-", to: [JSON(step)])
                case 4: try? value.setting(record, to: ["id": JSON(step)])
                case 5: try? value.setting(element, to: JSON(step))
                case 6: try? value.setting("last.1", to: JSON(step))
                case 7, 8: try? value.setting(JSONPointer(element.tokens + ["0"]), to: JSON(step))
                case 9: try? value.setting(JSONPointer(element.tokens + ["1", "x", "0"]), to: JSON(step))
                default: try? value.setting(JSONPointer(record.tokens + ["id"]), to: JSON(step))
                }
            value = changed ?? value
        }
        return value
    }

    private func text(_ document: JSONDocument, changedTo value: JSON, _ marks: PositionMarks) throws -> [UInt8] {
        var revision: Revision?
        for change in value.difference(from: document.value) {
            try revision.apply(ChangeStep(change), to: document.value)
        }
        guard let revision else { return document.bytes }
        return try document.withBytes { bytes in
            let edits = TextEditor.edits(
                for: revision, in: bytes, hasDuplicateKeys: !document.warnings.isEmpty, limit: 1 << 30, marks)
            let edited = document.source.edited(by: try #require(edits))
            defer { extendLifetime(edited) }
            return Array(edited.bytes)
        }
    }

    private static let steps = Thoroughness.edits(inFull: 2_400, otherwise: 1_000) / 40

    @Test(
        "The text is edited as by a pass over all of it, and the marks stay where they belong",
        arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var document = try Self.document(&random)
        var edits = 0
        for step in 0..<Self.steps {
            if random.chance(20) {
                let number = random.below(700)
                document = try document.reparsed(document.text.replacing("\"id\": \(number),", with: "\"id\": -1,"))
            }
            let value = Self.changed(document.value, step, &random)
            let expected = try text(document, changedTo: value, PositionMarks())
            #expect(try text(document, changedTo: value, document.marks) == expected, "seed \(seed), step \(step)")
            document = try document.applying(value.difference(from: document.value))
            #expect(document.bytes == expected && document.value == value, "seed \(seed), step \(step)")
            if !document.marks.isEmpty { edits += 1 }
            #expect(PositionMarksTests.areReal(document.marks, in: document), "seed \(seed), step \(step)")
            try expectSameLocations(document, &random)
        }
        #expect(edits > 10)
    }

    /// Expects values to be found from marks where a pass over the text finds them.
    private func expectSameLocations(_ document: JSONDocument, _ random: inout SeededGenerator) throws {
        let unmarked = try JSONDocument(parsing: document.bytes)
        #expect(unmarked.marks.isEmpty)
        let (record, index) = ("record \(random.below(700))", String(random.below(700)))
        let paths = [
            [], ["records"], ["records", record], ["records", record, "tags"], ["records", record, "tags", "1"],
            ["records", "new \(random.below(9))", "0"], ["list", index], ["list", index, "1", "x", "0"],
            ["list", "700"],
            ["list", "-"], ["list", record], ["last"], ["last", "2"], ["last", "3"], ["last", "2", "x"],
        ]
        let pointers = paths.map { JSONPointer($0) }
        let found = pointers.filter { document.value[at: $0] != nil }
        for some in [pointers, found, Array(found.suffix(4)), Array(found.dropFirst().prefix(3))] {
            #expect(document.locations(of: some) == unmarked.locations(of: some), "\(some)")
        }
        for path in pointers {
            #expect(document.range(of: path) == unmarked.range(of: path), "\(path)")
            #expect(document.location(of: path) == unmarked.location(of: path), "\(path)")
            #expect(document.locationOfKey(of: path) == unmarked.locationOfKey(of: path), "\(path)")
        }
    }

    /// Marks inside of a large item belong to a place that an edit right before the item may move.
    @Test(
        "Large items are inserted, removed and changed at the start, in the middle and at the end",
        arguments: SeededGenerator.seeds)
    func largeItems(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        func item() -> JSON { JSON.array(JSONArray((0..<random.pick([1, 1, 900, 3_000])).map { JSON($0) })) }
        var value: JSON = ["list": [], "table": [:], "last": [1, 2]]
        for number in 0..<6 {
            value = try value.setting("list.-", to: item()).setting(JSONPointer(["table", "k\(number)"]), to: item())
        }
        var document = try JSONDocument(parsing: value.description.replacing("[[", with: "[ // first\n["))
        for step in 0..<60 {
            let (count, keys) = (
                document.value["list"]?.array?.count ?? 0, document.value["table"]?.object?.keys.map { $0 } ?? []
            )
            let place = random.pick([0, 0, max(0, count - 1), random.below(max(1, count))])
            let element = JSONPointer(["list", String(place)])
            let member = JSONPointer([
                "table", keys.isEmpty ? "k" : random.pick([keys[0], keys[keys.count - 1], random.pick(keys)]),
            ])
            let old = document.value
            let changes: [JSONChange] =
                switch random.below(6) {
                case 0, 1: [JSONChange(at: element, from: nil, to: item())]
                case 2: count > 0 ? [JSONChange(at: element, from: old[at: element], to: nil)] : []
                case 3: try old.setting(JSONPointer(["table", "new \(step)"]), to: item()).difference(from: old)
                case 4: keys.count > 1 ? [JSONChange(at: member, from: old[at: member], to: nil)] : []
                default:
                    try old.setting(random.chance(50) && count > 0 ? element : "last.0", to: JSON(step)).difference(
                        from: old)
                }
            let unmarked = try JSONDocument(parsing: document.bytes).applying(changes)
            document = try document.applying(changes)
            #expect(document.bytes == unmarked.bytes && document.value == unmarked.value, "seed \(seed), step \(step)")
            #expect(PositionMarksTests.areReal(document.marks, in: document), "seed \(seed), step \(step)")
            if random.chance(20) {
                let number = random.pick(["7", "850", "2500"])
                let bytes = Array(document.text.replacing(number, with: "0", maxReplacements: 1).utf8)
                document = try document.reparsed(bytes)
                #expect(try document.value == JSONDocument(parsing: bytes).value, "seed \(seed), step \(step)")
            }
        }
    }

    /// A document with marks up to its end.
    private func marked() throws -> JSONDocument {
        var random = SeededGenerator(1)
        return try Self.document(&random).setting("last.0", to: 7).setting("last.0", to: 8)
    }

    private func expectMarksToTheEnd(_ document: JSONDocument) throws {
        let mark = try #require(document.marks.last(upTo: .max))
        #expect(mark.offset > document.bytes.count - 2 * PositionMarks.distance)
        #expect(PositionMarksTests.areReal(document.marks, in: document))
    }

    @Test("A change of one value keeps the marks, behind it too") func kept() throws {
        var document = try marked()
        for number in [3, 650, 300] {
            document = try document.setting(JSONPointer(["records", "record \(number)", "id"]), to: 123_456)
            try expectMarksToTheEnd(document)
        }
    }

    @Test("An element that is added or removed keeps the marks, in any place") func splicedElement() throws {
        var document = try marked()
        for index in [0, 350, 697] {
            document = try document.removing(JSONPointer(["list", String(index)]))
            try expectMarksToTheEnd(document)
        }
        for index in [0, 300, 697] {
            let added = JSONChange(at: JSONPointer(["list", String(index)]), from: nil, to: ["new": 1])
            document = try document.applying([added])
            try expectMarksToTheEnd(document)
        }
        #expect(try JSONDocument(parsing: document.bytes).value == document.value)
    }

    @Test("A member that is added or removed keeps the marks, and the positions of the others are those in the text")
    func spliced() throws {
        var document = try marked()
        for number in [0, 699, 350, 351] {
            document = try document.removing(JSONPointer(["records", "record \(number)"]))
            try expectMarksToTheEnd(document)
            document = try document.setting(JSONPointer(["records", "new \(number)"]), to: [JSON(number)])
            try expectMarksToTheEnd(document)
            let records = try #require(document.value["records"]?.object)
            #expect(records.positionCount == records.count && records.fault == nil)
            #expect(
                try JSONDocument(parsing: document.bytes).value["records"]?.object?.description == records.description)
        }
    }
}
