import TestSupport
import Testing

@testable import LosslessJSON

/// Edits at the places that a text is marked at.
@Suite("Marks of a text") struct PositionMarksTests {
    /// Whether a walk over all of the text begins an item, in the same containers, at each mark.
    static func areReal(_ marks: PositionMarks, in document: JSONDocument) -> Bool {
        document.withBytes { bytes in
            var (walk, others) = (ItemWalk(bytes, from: nil), PositionMarks())
            return marks.all.allSatisfy { mark in
                walk.advance(to: mark.offset, &others)
                let isSame = zip(walk.containers, mark.containers).allSatisfy {
                    $0.item == $1.item && $0.start == $1.start
                }
                return isSame && walk.containers.count == mark.containers.count
                    && mark.containers.last?.start == mark.offset
            }
        }
    }

    private static let numbers = "[" + (1_000..<5_000).map(String.init).joined(separator: ",") + "]"
    private static let members =
        "\u{FEFF}{\"a\": {" + (1_000..<4_000).map { "\"k\($0)\": \($0)" }.joined(separator: ", ") + "}, \"b\": [1,],}"

    /// A document that has been read to its end, so that it has marks.
    private func marked(_ text: String) throws -> JSONDocument {
        let bytes = Array(text.utf8)
        let last = try #require(bytes.lastIndex(of: UInt8(ascii: "9")))
        var changed = bytes
        changed[last] = UInt8(ascii: "8")
        return try JSONDocument(parsing: bytes).reparsed(changed).reparsed(bytes)
    }

    /// Items before, at and after a mark, and what replaces them.
    private func edits(of text: [UInt8], around mark: Int) -> [[UInt8]] {
        let item = text[..<mark].dropLast().lastIndex(of: UInt8(ascii: ","))! + 1
        let next = text[mark...].firstIndex(of: UInt8(ascii: ",")) ?? mark
        let isObject = text[item..<mark].contains(UInt8(ascii: ":"))
        func inserting(_ new: String, at place: Int, removing end: Int? = nil) -> [UInt8] {
            Array(text[..<place]) + Array(new.utf8) + Array(text[(end ?? place)...])
        }
        let new = isObject ? "\"new\": 7," : "7,"
        return [
            inserting(new, at: item), inserting(new, at: mark), inserting(new, at: next + 1),
            inserting("", at: item, removing: mark), inserting("", at: mark, removing: next + 1),
            inserting(new, at: item, removing: mark), inserting(new + new.replacing("new", with: "more"), at: item),
            inserting("0", at: mark - 1), inserting("0", at: next),
            inserting("[1, 2]", at: mark - 5, removing: mark - 1),
            inserting(isObject ? "10, \"x\": 20" : "10,20", at: mark - 2, removing: next),
        ]
    }

    @Test("An edit next to a mark moves it with its item", arguments: [numbers, members])
    func besideMarks(text: String) throws {
        let document = try marked(text)
        #expect(document.marks.all.count >= 2 && Self.areReal(document.marks, in: document))
        for mark in document.marks.all {
            for bytes in edits(of: document.bytes, around: mark.offset) {
                guard let fresh = try? JSONDocument(parsing: bytes) else { continue }
                var next = try document.reparsed(bytes)
                #expect(next.value.description == fresh.value.description && Self.areReal(next.marks, in: next))
                // Each item behind the mark is where the marks say.
                let paths: [JSONPointer] = ["1640", "1700", "3500", "a.k2000", "a.k3900", "b.0"]
                for path in paths where next.value[at: path] != nil {
                    next = try next.setting(path, to: 0)
                    #expect(try JSONDocument(parsing: next.bytes).value == next.value, "\(path) after \(mark.offset)")
                    #expect(Self.areReal(next.marks, in: next))
                }
                let again = try next.reparsed(next.text.replacing("35", with: "53"))
                #expect(again.value == (try JSONDocument(parsing: again.bytes).value))
            }
        }
    }

    @Test("A mark after a trailing comma goes with the comma") func trailingComma() throws {
        func text(_ items: String, _ last: Int) -> String {
            let (short, long) = (String(repeating: "x", count: 12_000), String(repeating: "x", count: 20_000))
            return "{\"a\": [\"\(short)\"\(items)], \"c\": \"\(long)\", \"d\": \(last)}"
        }
        let marked = try JSONDocument(parsing: text(",", 1)).reparsed(text(",", 2))
        #expect(marked.marks.all.count == 2)
        for items in ["", ", 1", ",1,2,", " , "] {
            let next = try marked.reparsed(text(items, 2))
            #expect(Self.areReal(next.marks, in: next))
        }
    }
}
