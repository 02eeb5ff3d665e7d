import BenchmarkData
import LosslessJSON

/// Parsing, editing and coding, without files.
enum TextCases {
    static func count(_ counter: CaseCounter) throws {
        let text = Documents.bytes(.mixed, .hundredKilobytes)
        try counter.count("parse/100 KB", times: 3) { try JSONDocument(parsing: text) }
        let versions = DocumentVersions(.hundredKilobytes)
        counter.count("reparse/100 KB, one value changed", times: 3) { versions.reparsed }
        let change = versions.reparsed.value.difference(from: versions.base.value)[0]
        try counter.count("edit/100 KB, one value", times: 10) { try versions.base.applying([change]) }
        try countCoding(counter, "1 KB", times: 10, TypicalRoot())
        try countCoding(counter, "1 KB, flat", times: 10, FlatRoot())
        try countCoding(counter, "1000 structs", times: 2, Records(1_000))
        try countCoding(counter, "10000 structs", times: 1, Records(10_000))
    }

    private static func countCoding(
        _ counter: CaseCounter, _ size: String, times: Int, _ root: some Codable & Sendable
    ) throws {
        let json = try JSONValueEncoder().encode(root)
        try counter.count("encode/\(size)", times: times) { try JSONValueEncoder().encode(root) }
        try counter.count("decode/\(size)", times: times) { try decode(json, like: root) }
    }

    private static func decode<Root: Codable>(_ json: JSON, like _: Root) throws -> Root {
        try JSONValueDecoder().decode(Root.self, from: json)
    }
}
