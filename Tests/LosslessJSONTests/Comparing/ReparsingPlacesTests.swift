import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Reparsing a text that has changed in several places") struct ReparsingPlacesTests {
    /// A text of more than 100 KB, whose records take a line each.
    private static let records = 1_400

    private static func lines() -> [String] {
        let members = (0..<records).map { number in
            let tags = (0..<number % 5).map { "\"tag \($0)\"" }.joined(separator: ", ")
            return "  \"record \(number)\": {\"id\": \(number), \"tags\": [\(tags)], \"text\": \"a text, [or] two\"},"
        }
        return ["{", "\"records\": {"] + members + ["  \"last\": [1, {\"x\": 2}]", "},", "\"end\": true}"]
    }

    private static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    /// A line as a person could change it.
    private static func edited(_ line: String, _ step: Int, _ random: inout SeededGenerator) -> String {
        switch random.below(9) {
        case 0: line.replacing("\"id\":", with: "\"id\" : 1\(step), \"old \(random.below(1 << 40))\":")
        case 1: "\(line)\n  \"new \(random.below(1 << 40))\": [\(step)],"
        case 2: ""
        case 3: "\(line) // note, {\(step)"
        case 4: line.replacing("record", with: "renamed \(random.below(1 << 40))")
        case 5: line.replacing("\"tags\": [", with: "\"tags\": [\(step)\(line.contains("tag ") ? ", " : "")")
        case 6: line.replacing("a text", with: String(repeating: "long ", count: random.below(900)))
        case 7 where line.contains("record") && !line.contains("\n"):
            "\(line)\n\(line.replacing("record", with: "copy \(random.below(1 << 40)) of"))"
        default: line.replacing("{\"id\": ", with: "{\"id\": 7")
        }
    }

    @Test("It is parsed in part, and is what a fresh parse gives", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var lines = Self.lines()
        var document = try JSONDocument(parsing: Self.bytes(lines))
        var (valid, partly) = (0, 0)
        for step in 0..<Thoroughness.edits(inFull: 960, otherwise: 480) / 40 {
            var changed = lines
            for _ in 0..<random.below(random.chance(20) ? 18 : 5) + 2 {
                let number = 2 + random.below(Self.records)
                changed[number] = Self.edited(changed[number], step, &random)
            }
            if random.chance(15) {
                changed[2 + random.below(Self.records)] += random.pick(["}", "\"", "/*", "]", ",", "1"])
            }
            let text = Self.bytes(changed)
            let fresh = try? JSONDocument(parsing: text)
            let next = ReparsingInPartTests.inPart(document, text)
            if fresh == nil { #expect(next == nil, "seed \(seed), step \(step)") }
            guard let fresh else { continue }
            valid += 1
            if let next {
                partly += 1
                #expect(next.value.description == fresh.value.description, "seed \(seed), step \(step)")
                #expect(next.value == fresh.value && next.value.fault == nil, "seed \(seed), step \(step)")
                #expect(next.warnings == fresh.warnings && next.bytes == text, "seed \(seed), step \(step)")
                #expect(PositionMarksTests.areReal(next.marks, in: next), "seed \(seed), step \(step)")
            }
            document = next ?? fresh
            lines = changed
        }
        #expect(partly * 2 > valid && valid > 4, "\(partly) of \(valid)")
    }

    @Test(
        "Changes of one record in twenty, many of them near to others, are parsed in part",
        arguments: SeededGenerator.seeds)
    func scattered(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var lines = Self.lines()
        let document = try JSONDocument(parsing: Self.bytes(lines))
        for number in 0..<Self.records where random.chance(5) {
            lines[2 + number].replace("\"id\": ", with: random.pick(["\"id\": 7", "\"id\":", "\"id\": 7.25, \"n\": "]))
            lines[2 + number].replace("a text", with: "a longer text")
        }
        let next = try #require(ReparsingInPartTests.inPart(document, Self.bytes(lines)), "seed \(seed)")
        #expect(try ReparsingTests.fault(of: next, lines.joined(separator: "\n")) == nil, "seed \(seed)")
        #expect(PositionMarksTests.areReal(next.marks, in: next), "seed \(seed)")
    }

    @Test("Items before, between and after the places keep their identity")
    func identity() throws {
        var lines = Self.lines()
        let document = try JSONDocument(parsing: Self.bytes(lines))
        for number in [0, 700, 1_399] { lines[2 + number].replace("\"id\": ", with: "\"id\": 9") }
        let next = try #require(ReparsingInPartTests.inPart(document, Self.bytes(lines)))
        for number in [1, 699, 701, 1_398] {
            let path = JSONPointer(["records", "record \(number)"])
            #expect(next.value[at: path]!.isIdentical(to: document.value[at: path]!))
        }
        let changed = next.value.difference(from: document.value).map(\.path)
        #expect(changed == [0, 700, 1_399].map { JSONPointer(["records", "record \($0)", "id"]) })
    }

    @Test("Records that were like those next to them are not taken for those", arguments: ["one", "three"])
    func alike(name: String) throws {
        let edited = [100, 130, 700, 1_300]
        func bytes(_ name: String, _ level: Int) -> [UInt8] {
            let members = (0..<Self.records).map { number in
                let (name, level) = edited.contains(number) ? (name, level) : ("any", 5)
                let text = "a text that is the same in each of the records, and that is as long as many are"
                return "\"record \(number)\": {\"name\": \"\(name)\", \"level\": \(level), \"text\": \"\(text)\"},"
            }
            return Self.bytes(["{"] + members + ["\"end\": true}"])
        }
        let (document, text) = (try JSONDocument(parsing: bytes("two", 5)), bytes(name, 6))
        let next = try #require(ReparsingInPartTests.inPart(document, text))
        #expect(try ReparsingTests.fault(of: next, String(decoding: text, as: UTF8.self)) == nil)
        for number in 0..<Self.records where !edited.contains(number) {
            let key = "record \(number)"
            #expect(next.value[key]!.isIdentical(to: document.value[key]!))
        }
    }

    /// A long member, and more text around it.
    private static func member(_ key: String, _ first: String, _ last: String, _ next: String, _ end: Int) -> [UInt8] {
        let filler = (0..<2_000).map(String.init).joined(separator: " ")
        let member = "\"\(key)\": {\"first\": \(first), \"filler\": \"\(filler)\", \"last\": \(last)}\(next)"
        let members = ["\"begin\": \(end)", "\"a\": \"\(filler + filler + filler)\"", member, "\"b\": \"\(filler)\""]
        return Array("{\(members.joined(separator: ", ")), \"end\": \(end)}".utf8)
    }

    @Test(
        "Places of which one changes the items around another one are parsed together",
        arguments: [
            member("longer", "1", "[2, 3]", "", 100), member("longer", "12", "[1]", ", \"n\": 0", 10),
            member("k", "12", "[1]", ", \"n\": 0", 100), member("longer", "12", "[2, 3]", ", \"n\": 0", 1),
        ])
    func nested(changed: [UInt8]) throws {
        let document = try JSONDocument(parsing: Self.member("k", "1", "[1]", "", 1))
        let next = try #require(ReparsingInPartTests.inPart(document, changed))
        #expect(try ReparsingTests.fault(of: next, String(decoding: changed, as: UTF8.self)) == nil)
        #expect(PositionMarksTests.areReal(next.marks, in: next))
    }

    @Test("A member that moves to another place is moved, whichever of the places comes first")
    func moved() throws {
        var lines = Self.lines()
        let line = lines.remove(at: 2 + 100)
        let (without, document) = (lines, try JSONDocument(parsing: Self.bytes(Self.lines())))
        lines.insert(line, at: 2 + 1_200)
        let later = try document.reparsed(Self.bytes(lines))
        #expect(try ReparsingTests.fault(of: later, lines.joined(separator: "\n")) == nil)
        let back = try later.reparsed(document.bytes)
        #expect(try ReparsingTests.fault(of: back, document.text) == nil)
        // Twice at once.
        var twice = without
        twice.insert(line, at: 2 + 1_200)
        twice.insert(line, at: 2 + 100)
        let warned = try document.reparsed(Self.bytes(twice))
        #expect(warned.warnings.count == 1)
        #expect(try ReparsingTests.fault(of: warned, twice.joined(separator: "\n")) == nil)
    }

    @Test("Marks behind many places move with the text, unless items came or went", arguments: [false, true])
    func marks(comes: Bool) throws {
        var lines = Self.lines()
        let document = try JSONDocument(parsing: Self.bytes(lines))
        for place in 0..<14 { lines[52 + 100 * place].replace("\"id\": ", with: "\"id\": 777") }
        if comes { lines[1_350] += " \"new\": 7," }
        let next = try #require(ReparsingInPartTests.inPart(document, Self.bytes(lines)))
        #expect(try ReparsingTests.fault(of: next, lines.joined(separator: "\n")) == nil)
        #expect(PositionMarksTests.areReal(next.marks, in: next))
        #expect(next.marks.all.count > 20 || comes)
        let path = JSONPointer(["records", "record 1390", "id"])
        let edited = try next.setting(path, to: -1)
        #expect(try JSONDocument(parsing: edited.bytes).value == edited.value)
    }

    @Test("The bytes outside the parts of a difference are the same", arguments: SeededGenerator.seeds)
    func parts(seed: UInt64) {
        var random = SeededGenerator(seed)
        for round in 0..<Thoroughness.edits(inFull: 800, otherwise: 320) / 40 {
            // Of few letters, so that much looks as if it corresponded.
            let old = (0..<30_000).map { _ in UInt8(ascii: "a") + UInt8(random.below(random.chance(50) ? 1 : 2)) }
            var new = old
            for _ in 0..<random.below(6) {
                let place = random.below(new.count)
                let removed = random.below(min(new.count - place, random.pick([2, 300, 4_000])) + 1)
                let added = random.below(random.pick([2, 300, 4_000]))
                let inserted = (0..<added).map { _ in random.pick(Array("abc".utf8)) }
                new.replaceSubrange(place..<place + removed, with: inserted)
            }
            old.withUnsafeBytes { old in
                new.withUnsafeBytes { new in
                    let difference = TextDifference(from: old, to: new)
                    var (end, newEnd) = (0, 0)
                    for part in difference.parts(from: old, to: new) {
                        let unchanged = part.old.lowerBound - end
                        let isSame = old[end..<end + unchanged].elementsEqual(new[newEnd..<newEnd + unchanged])
                        #expect(unchanged >= 0 && isSame, "seed \(seed), round \(round)")
                        (end, newEnd) = (part.old.upperBound, newEnd + unchanged + part.old.count + part.growth)
                    }
                    #expect(old[end...].elementsEqual(new[newEnd...]), "seed \(seed), round \(round)")
                }
            }
        }
    }
}
