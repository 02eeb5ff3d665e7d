import Foundation
import LosslessJSON
import TestSupport
import Testing

/// Python's json module and the library parse documents identically: every spelling, every byte of every
/// string, and the order of members.
@Suite struct PythonAgreementTests {
    private static let count = Thoroughness.isFull ? 4_000 : 1_000

    private static func documents() -> [[UInt8]] {
        (1...count).map { seed in
            var random = RandomJSON(seed: UInt64(seed) << 20, duplicatesKeys: seed % 4 == 0)
            return random.document()
        }
    }

    @Test("Python's json module reads the same values from random documents", .needs(.python3))
    func sameValues() throws {
        let folder = try TemporaryFolder()
        let documents = Self.documents()
        var input: [UInt8] = []
        for document in documents {
            withUnsafeBytes(of: UInt32(document.count).bigEndian) { input.append(contentsOf: $0) }
            input.append(contentsOf: document)
        }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "dump.py")
        let result = try Programs.python3.program.run([script.path], in: folder, input: .bytes(input))
        try #require(result.code == 0, "\(result.messages)")
        let dumps = result.output.split(separator: "\n")
        try #require(dumps.count == documents.count)
        for (index, (document, dump)) in zip(documents, dumps).enumerated() {
            let value = try JSON(parsing: document, dialect: .json)
            #expect(value.canonicalDump == dump, "document \(index + 1)")
        }
        for kind in ["null", "true", "false", "#", "\"", "[", "{"] {
            #expect(dumps.contains { $0.contains(kind) }, "the documents contain every kind of value")
        }
    }

    @Test("The canonical dump distinguishes values of different types and spellings that look alike")
    func dump() throws {
        let text = #"{"a":[1,1.0,"1","\u0031",null,"null",true,[],{},"",[[]]],"é":"\n"}"#
        let dump = try JSON(parsing: text).canonicalDump
        #expect(dump == "{\"61:[#1,#1.0,\"31,\"31,null,\"6e756c6c,true,[],{},\",[[]]],\"c3a9:\"0a}")
    }
}
