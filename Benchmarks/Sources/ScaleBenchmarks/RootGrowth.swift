import Foundation
import LosslessJSON
import ManualTiming
import SessionMirror

/// A root with a dictionary, whose values take about 130 bytes each in the file.
struct Tenants: Codable, Sendable {
    struct Tenant: Codable, Sendable, BytewiseEquatable {
        var host: String
        var port: Int
        var isEnabled = true
        var weight = 0.5
    }

    var tenants: [String: Tenant] = [:]

    init(_ count: Int) {
        for number in 0..<count {
            tenants[Self.key(number)] = Tenant(host: "node-\(number).example.org", port: 8_000)
        }
    }

    static func key(_ number: Int) -> String { "tenant-\(1_000_000 + number)" }
}

/// The same values in structs that do not say that they may be compared by their bytes.
private struct UnmarkedTenants: Codable, Sendable {
    struct Tenant: Codable, Sendable {
        var host: String
        var port: Int
        var isEnabled: Bool
        var weight: Double
    }

    var tenants: [String: Tenant]

    init(_ marked: Tenants) {
        tenants = marked.tenants.mapValues {
            Tenant(host: $0.host, port: $0.port, isEnabled: $0.isEnabled, weight: $0.weight)
        }
    }
}

/// Measures work on a typed root of one size, beside Foundation's coders. The files are in memory, to measure the work
/// and not the disk.
final class RootGrowth {
    private let size: Size
    private let folder = TemporaryFolder(in: TemporaryFolder.memory)
    private var root: Tenants
    private let changedKey: String
    private let path: String

    init(_ keys: Int) {
        (size, root) = (Size(keys, .keys), Tenants(keys))
        changedKey = Tenants.key(keys / 2)
        path = folder.path(of: "tenants.json")
    }

    func run(into growth: inout Growth) throws {
        try measureDecoding(into: &growth)
        try measureEncoding(into: &growth)
        try measureUpdating(into: &growth)
        try measureReloading(into: &growth)
        let changed = changedKey
        try measureSaving("save typed root", root, Tenants(0), into: &growth) { $0.tenants[changed]!.port += 1 }
        let unmarked = (UnmarkedTenants(root), UnmarkedTenants(Tenants(0)))
        try measureSaving("save unmarked root", unmarked.0, unmarked.1, into: &growth) {
            $0.tenants[changed]!.port += 1
        }
    }

    private func measureDecoding(into growth: inout Growth) throws {
        let text = try text()
        let (data, tree) = (Data(text), try JSONDocument(parsing: text).value)
        try growth.measure(
            "decode", size,
            [
                .init("ours") { try time { try JSONDocument(parsing: text).decode(Tenants.self) } },
                .init("ours, from its tree") { try time { try JSONValueDecoder().decode(Tenants.self, from: tree) } },
                .init("JSONDecoder") { try time { try JSONDecoder().decode(Tenants.self, from: data) } },
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
                .init("ours") { try time { try session.update { self.edit(&$0) } } },
                .init("copy of the value") {
                    let previous = copied
                    return time {
                        self.edit(&copied)
                        return previous
                    }
                },
            ])
    }

    /// Loads the file with one changed value. Foundation's way is to read and decode it as a whole.
    private func measureReloading(into growth: inout Growth) throws {
        let session = try opened(Tenants(0), "tenants.json")
        try growth.measure(
            "reload typed root", size,
            [
                .init("ours") {
                    self.edit(&self.root)
                    try self.replaceFile()
                    let nanoseconds = reloadTime(of: session)
                    if session.read({ $0.tenants[self.changedKey]?.port }) != self.root.tenants[self.changedKey]?.port {
                        fail("a session has loaded another version")
                    }
                    return nanoseconds
                },
                .init("JSONDecoder") {
                    let url = URL(filePath: self.path)
                    return try time { try JSONDecoder().decode(Tenants.self, from: Data(contentsOf: url)) }
                },
                .init("plain reading") { time { readFile(self.path) } },
            ])
    }

    /// Changes one value in memory and saves the file. Foundation's way is to encode and write all values.
    private func measureSaving<Root: Codable & Sendable>(
        _ operation: String, _ root: Root, _ empty: Root, into growth: inout Growth,
        edit: @escaping (inout Root) -> Void
    ) throws {
        let session = try opened(empty, "saved.json")
        let minimal = MinimalReplacement(path: folder.path(of: "least.json"))
        let text = try text()
        var changed = root
        try growth.measure(
            operation, size,
            [
                .init("ours") {
                    try time {
                        try session.update { edit(&$0) }
                        try session.flushBlocking()
                    }
                },
                .init("JSONEncoder") {
                    try time {
                        edit(&changed)
                        minimal.replace(with: Array(try Self.encoded(changed)), waits: true)
                    }
                },
                .init("bare minimum") { time { minimal.replace(with: text, waits: true) } },
            ])
    }

    /// A session with a file of this size.
    private func opened<Root: Codable & Sendable>(_ empty: Root, _ name: String) throws -> Session<Root> {
        try replaceFile(name)
        var options = SessionOptions(start: .requireFile)
        options.watching = .off
        return try Session(empty, at: folder.path(of: name), options: options)
    }

    private func edit(_ root: inout Tenants) { root.tenants[changedKey]!.port += 1 }

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
