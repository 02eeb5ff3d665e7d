import Foundation
import LosslessJSON
import ManualTiming
import SessionMirror

/// Measures work on a typed root of one size, beside Foundation's coders. The files are in memory, to measure the work
/// and not the disk.
final class RootGrowth<Root: TenantRoot> {
    private let size: Size
    private let folder = TemporaryFolder(in: TemporaryFolder.memory)
    private var root: Root
    private let path: String

    init(_ count: Int) {
        (size, root) = (Size(count, .keys), Root(count))
        path = folder.path(of: "tenants.json")
    }

    func measureCoding(into growth: inout Growth) throws {
        try measureDecoding(into: &growth)
        try measureEncoding(into: &growth)
        try measureUpdating(into: &growth)
    }

    private func measureDecoding(into growth: inout Growth) throws {
        let text = try text()
        let (data, tree) = (Data(text), try JSONDocument(parsing: text).value)
        try growth.measure(
            "decode", size,
            [
                .init("ours") { try time { try JSONDocument(parsing: text).decode(Root.self) } },
                .init("ours, from its tree") { try time { try JSONValueDecoder().decode(Root.self, from: tree) } },
                .init("JSONDecoder") { try time { try JSONDecoder().decode(Root.self, from: data) } },
                .init("copy of the text") { copyTime(of: text) },
            ])
    }

    private func measureEncoding(into growth: inout Growth) throws {
        let (root, text) = (root, try text())
        try growth.measure(
            "encode", size,
            [
                .init("ours") { try time { try JSONValueEncoder().encode(root) } },
                .init("ours, with its text") {
                    try time { JSONPrinter().bytes(try JSONValueEncoder().encode(root)) }
                },
                .init("JSONEncoder") { try time { try Self.encoded(root) } },
                .init("copy of the text") { copyTime(of: text) },
            ])
    }

    /// Changes one value in memory, until readers see it. The least that must be done is to copy the dictionary, because
    /// readers may have the previous version.
    private func measureUpdating(into growth: inout Growth) throws {
        let session = Session(inMemory: root)
        var copied = root
        try growth.measure(
            "update", size,
            [
                .init("ours") { try time { try session.update { $0.changeOne() } } },
                .init("copy of the value") {
                    let previous = copied
                    return time {
                        copied.changeOne()
                        return previous
                    }
                },
            ])
    }

    /// Loads the file with one change, and with several that lie apart. Foundation's way is to read and decode it as a
    /// whole.
    func measureReloading(_ operation: String, into growth: inout Growth) throws {
        let session = try opened("tenants.json")
        func reload(_ change: @escaping (inout Root) -> Void) -> () throws -> Double {
            {
                change(&self.root)
                try self.replaceFile()
                let nanoseconds = reloadTime(of: session)
                if session.read({ $0.changedPort }) != self.root.changedPort {
                    fail("a session has loaded another version")
                }
                return nanoseconds
            }
        }
        try growth.measure(
            operation, size,
            [
                .init("ours", measure: reload { $0.changeOne() }),
                .init("one more or less", measure: reload { $0.insertOrRemoveOne() }),
                .init("one in a hundred", measure: reload { $0.changeStructs(oneIn: 100) }),
                .init("one in ten", measure: reload { $0.changeStructs(oneIn: 10) }),
                .init("a tenth in a row", measure: reload { $0.changeTenthInRow() }),
                .init("all", measure: reload { $0.changeStructs(oneIn: 1) }),
                .init("JSONDecoder") {
                    let url = URL(filePath: self.path)
                    return try time { try JSONDecoder().decode(Root.self, from: Data(contentsOf: url)) }
                },
                .init("plain reading") { time { readFile(self.path) } },
            ])
    }

    /// Makes one change in memory and saves the file. Foundation's way is to encode and write all values.
    func measureSaving(_ operation: String, into growth: inout Growth) throws {
        let session = try opened("saved.json")
        let minimal = MinimalReplacement(path: folder.path(of: "least.json"))
        let text = try text()
        var changed = root
        func save(_ change: @escaping (inout Root) -> Void) -> () throws -> Double {
            {
                try time {
                    try session.update { change(&$0) }
                    try session.flushBlocking()
                }
            }
        }
        try growth.measure(
            operation, size,
            [
                .init("ours", measure: save { $0.changeOne() }),
                .init("one more or less", measure: save { $0.insertOrRemoveOne() }),
                .init("JSONEncoder") {
                    try time {
                        changed.changeOne()
                        minimal.replace(with: Array(try Self.encoded(changed)), waits: true)
                    }
                },
                .init("bare minimum") { time { minimal.replace(with: text, waits: true) } },
            ])
    }

    /// A session with a file of this size.
    private func opened(_ name: String) throws -> Session<Root> {
        try replaceFile(name)
        var options = SessionOptions(start: .requireFile)
        options.watching = .off
        return try Session(Root(0), at: folder.path(of: name), options: options)
    }

    private func text() throws -> [UInt8] { JSONPrinter().bytes(try JSONValueEncoder().encode(root)) }

    private func replaceFile(_ name: String = "tenants.json") throws {
        MinimalReplacement(path: folder.path(of: name)).replace(with: try text(), waits: false)
    }

    private static func encoded(_ root: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(root)
    }
}
