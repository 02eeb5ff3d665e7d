import Foundation
import TestSupport
import Testing

@testable import LosslessJSON

/// Texts crafted to keep a process busy: four times the text takes at most fourteen times as long; quadratic time
/// would take sixteen.
@Suite("Processing time of hostile texts", .serialized) struct HostileTimeTests {
    /// A text of approximately the given size.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: @Sendable (Int) -> String

        init(_ name: String, _ text: @escaping @Sendable (Int) -> String) {
            (testDescription, self.text) = (name, text)
        }

        static func repeated(_ unit: String, _ count: Int) -> String {
            String(repeating: unit, count: count / unit.utf8.count)
        }

        static func items(_ count: Int, _ item: (Int) -> String) -> String {
            (0..<count).map(item).joined(separator: ",")
        }
    }

    static let shapes: [Shape] = [
        Shape("elements on one line") { "[" + Shape.repeated("0,", $0) + "1]" },
        Shape("small arrays") { "[" + Shape.repeated("[0],", $0) + "[1]]" },
        Shape("deep arrays") { size in
            let deep = Shape.repeated("[", 400) + "0" + Shape.repeated("]", 400)
            return "[" + Shape.items(size / 800, { _ in deep }) + ",1]"
        },
        Shape("one object") { "{" + Shape.items($0 / 10, { "\"k\($0)\":\($0)" }) + "}" },
        Shape("long keys with a common prefix") { size in
            let start = Shape.repeated("k", 200)
            return "{" + Shape.items(size / 210, { "\"\(start)\($0)\":0" }) + "}"
        },
        Shape("one repeated key") { "{" + Shape.repeated("\"a\":0,", $0 - 20) + "\"a\":[1,2]}" },
        Shape("one repeated object") { "{" + Shape.repeated("\"a\":{\"b\":0},", $0) + "\"a\":[1]}" },
        Shape("comments") { "[" + Shape.repeated("/**/", $0) + "1]" },
        Shape("line comments between items") { "[" + Shape.repeated("0, // x\n", $0) + "1]" },
        Shape("line ends") { "[1," + Shape.repeated("\n", $0) + "2]" },
        Shape("indentation") { "[\n" + Shape.repeated(" ", $0) + "1, 2]" },
        Shape("changes around others") { "{\"1\":[" + Shape.repeated("[11],", $0) + "[1]]}" },
        Shape("one number") { "[" + Shape.repeated("7", $0) + "]" },
        Shape("one fraction") { "[0." + Shape.repeated("0", $0) + "1e" + Shape.repeated("9", $0) + "]" },
        Shape("escapes") { "[\"" + Shape.repeated("\\u0041", $0) + "\"]" },
        Shape("one string") { "[\"" + Shape.repeated("long ", $0) + "\"]" },
        Shape("one key") { "{\"" + Shape.repeated("long ", $0) + "\":[1,2]}" },
        Shape("combining marks in a key") { "{\"a" + Shape.repeated("\u{301}\u{323}", $0) + "\":1}" },
        Shape("combining marks in a string") { "[\"a" + Shape.repeated("\u{301}\u{323}", $0) + "\"]" },
        Shape("combining marks in short runs") { size in
            let run = "a" + Shape.repeated("\u{301}\u{323}", 1_000)
            return "[" + Shape.items(size / 1_000, { "\"\(run)\($0)\"" }) + "]"
        },
    ]

    /// The processor time of this thread, which other load on the machine affects little.
    private static func seconds(_ body: () -> Void) -> Double {
        let start = threadCPUTime()
        body()
        return Double(threadCPUTime() - start) / 1e9
    }

    static let greatestGrowth = 14.0

    /// The ratio of the times for the longer and the shorter text. The fastest of three runs counts, or of more if other
    /// processes that share caches and processors have slowed down the longer text.
    static func growth(_ short: () -> Void, _ long: () -> Void) -> Double {
        var (least, most, growth) = (Double.infinity, Double.infinity, Double.infinity)
        for run in 1...20 where run <= 3 || growth > greatestGrowth {
            least = min(least, seconds(short))
            most = min(most, seconds(long))
            growth = most < 0.002 ? 0 : most / max(least, 0.0002)
        }
        return growth
    }

    struct Texts {
        let text: String
        let document: JSONDocument
        let copy: JSONDocument
        let other: JSONDocument
        /// The text with changes far from each other.
        let scattered: [UInt8]
        let base: JSON
        let first: JSONPointer
        let last: JSONPointer

        init(_ shape: Shape, _ size: Int) throws {
            text = shape.text(size)
            (document, copy) = (try JSONDocument(parsing: text), try JSONDocument(parsing: text))
            let value = document.value
            let key = value.object?.keys.first { _ in true }
            first = JSONPointer([key ?? "0"])
            last = JSONPointer([value.object.map { Array($0.keys).last! } ?? String(value.array!.count - 1)])
            other = try copy.setting(last, to: "changed")
            scattered = Texts.changed(document.bytes)
            base = .null
        }

        /// Changes a digit, if there is one, every few kilobytes.
        private static func changed(_ text: [UInt8]) -> [UInt8] {
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            var text = text
            for place in stride(from: 100, to: text.count, by: 5_000) {
                guard let place = text[place...].firstIndex(where: digits.contains) else { continue }
                text[place] = text[place] == digits.upperBound ? digits.lowerBound + 1 : text[place] + 1
            }
            return text
        }
    }

    typealias Operation = @Sendable (Texts) -> Void

    static let operations: KeyValuePairs<String, Operation> = [
        "parse": { _ = try? JSONDocument(parsing: $0.text) },
        "reject": { _ = try? JSONDocument(parsing: $0.text + "x") },
        "reject truncated": { _ = try? JSONDocument(parsing: String($0.text.dropLast())) },
        "reparse": { _ = try? $0.document.reparsed($0.other.bytes) },
        "reparse with changes in many places": { _ = try? $0.document.reparsed($0.scattered) },
        "locate": { _ = $0.document.location(of: $0.last) },
        "locate many": { texts in
            let all = texts.document.value.everything(atMost: 200).map(\.path)
            _ = texts.document.locations(of: all)
        },
        "point": { _ = $0.document.value[at: $0.last] },
        "compare": { _ = $0.document.value == $0.copy.value },
        "hash": { _ = $0.document.value.hashValue },
        "difference": { _ = $0.other.value.difference(from: $0.document.value) },
        "merge": { _ = JSON.merge(base: $0.base, ours: $0.document.value, theirs: $0.other.value) },
        "merge with common base": {
            _ = JSON.merge(base: $0.document.value, ours: $0.copy.value, theirs: $0.other.value)
        },
        "merge by rules": { texts in
            for merging in [JSONArrayMerging.union, .append, .byIdentity("a")] {
                let rules = JSONArrayRules([("", merging), ("/*", merging), ("/*/*", merging)])
                let (ours, theirs) = (texts.copy.value, texts.other.value)
                _ = JSON.merge(base: texts.base, ours: ours, theirs: theirs, arrays: rules)
                _ = JSON.merge(base: theirs, ours: ours, theirs: [texts.document.value, 1], arrays: rules)
            }
        },
        "edit": { _ = try? $0.document.setting($0.last, to: "changed") },
        "insert": { _ = try? $0.document.setting($0.document.value.array == nil ? "/new" : "/-", to: [[1]]) },
        "remove": { _ = try? $0.document.removing($0.first) },
        "remove all": { texts in
            _ = try? texts.document.applying(JSON(arrayLiteral: 1).difference(from: texts.document.value))
            _ = try? texts.document.applying(
                ((texts.document.value.array == nil ? [:] : []) as JSON).difference(from: texts.document.value))
        },
        "format": { _ = try? $0.document.formatted() },
        "print": { _ = JSONPrinter().bytes($0.document.value) },
        "describe": { _ = JSONChange(at: $0.last, from: $0.document.value, to: 1).description },
        "decode as a tree": { _ = try? $0.document.decode(JSON.self) },
        "decode as a dictionary": { _ = try? $0.document.decode([String: JSON].self) },
        "decode as strings": { _ = try? $0.document.decode([String].self).hashValue },
        "decode as a set": { _ = try? $0.document.decode(Set<String>.self) },
        "decode as numbers": { _ = try? $0.document.decode([Double].self) },
        "decode as integers": { _ = try? $0.document.decode([Int].self) },
        "decode as arrays": { _ = try? $0.document.decode([[Double]].self) },
        "decode as another type": { _ = try? $0.document.decode(HostileDocumentTests.DefaultTree.self) },
        "decode as an enum": { _ = try? $0.document.decode(HostileDocumentTests.Either.self) },
        "encode": { _ = try? JSONValueEncoder().encode($0.document.value) },
        "encode a dictionary": { texts in
            let members = (try? texts.document.decode([String: JSON].self)) ?? [:]
            _ = try? JSONValueEncoder().encode(members)
        },
        "encode a set": { texts in
            _ = try? JSONValueEncoder().encode(Set((texts.document.value.array ?? []).prefix(5_000)))
        },
    ]

    @Test(
        "The time of every operation grows less than quadratically with the size of a hostile text",
        .enabled(if: AllocationMeter.countsOptimizedCode), arguments: shapes
    )
    func growth(shape: Shape) throws {
        let size = 60_000
        let (short, long) = (try Texts(shape, size), try Texts(shape, 4 * size))
        for (name, operation) in Self.operations {
            let growth = Self.growth({ operation(short) }, { operation(long) })
            #expect(growth <= Self.greatestGrowth, "\(name)")
        }
    }

    @Test("Decoding a string or key with more than 256 combining marks in a row fails with its location")
    func marks() throws {
        let many = "a" + String(repeating: "\u{301}", count: 257)
        let allowed = "a" + String(repeating: "\u{301}", count: 256)
        let document = try JSONDocument(parsing: "{\"\(many)\": 1}")
        let error = #expect(throws: JSONCodingError.self) { try document.decode([String: Int].self) }
        #expect(error?.code == .value && error?.location?.description == "1:\(many.unicodeScalars.count + 6)")
        #expect(error?.message.contains("must be a key with at most 256 combining marks in a row, found") == true)
        let value = try JSONDocument(parsing: "[\"\(many)\"]")
        for decode in [
            { _ = try value.decode([String].self) }, { _ = try value.decode(Set<String>.self) },
            { _ = try value.decode([HostileDocumentTests.Word].self) },
        ] as [() throws -> Void] {
            let error = #expect(throws: JSONCodingError.self) { try decode() }
            #expect(error?.message.contains("\"0\" must be a string with at most 256 combining marks in a row") == true)
        }
        #expect(try JSONDocument(parsing: "{\"\(allowed)\": 1}").decode([String: Int].self) == [allowed: 1])
        #expect(try document.decode([String: JSON].self.self == JSON.self ? JSON.self : JSON.self) == document.value)
    }

    @Test("Locating many values in an object with many duplicate keys takes less than quadratic time")
    func repeatedPlaces() throws {
        func time(_ count: Int) throws -> () -> Void {
            let members = (0..<count).map { "\"x\($0)\":0" }.joined(separator: ",")
            let text = "{" + String(repeating: "\"a\":0,", count: count) + "\"a\":{\(members)}}"
            let document = try JSONDocument(parsing: text)
            let pointers = (0..<count).map { JSONPointer(["a", "x\($0)"]) }
            return { #expect(document.locations(of: pointers).count == count) }
        }
        let size = AllocationMeter.countsOptimizedCode ? 4_000 : 400
        #expect(Self.growth(try time(size), try time(4 * size)) <= Self.greatestGrowth)
    }

    @Test("Resolving conflicts by removing array elements takes less than quadratic time")
    func removedElements() {
        func time(_ count: Int) -> () -> Void {
            let sides = (0...2).map { side in JSON.array(JSONArray((0..<count).map { JSON($0 * 3 + side) })) }
            return {
                let merge = JSON.merge(base: sides[0], ours: sides[1], theirs: sides[2]) { _ in JSON?.none }
                #expect(merge.value == [] && merge.conflicts.count == count)
            }
        }
        let size = AllocationMeter.countsOptimizedCode ? 4_000 : 400
        #expect(Self.growth(time(size), time(4 * size)) <= Self.greatestGrowth)
    }
}
