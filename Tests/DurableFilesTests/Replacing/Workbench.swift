import DurableFiles
import FileScripts
import Foundation
import Glibc
import TestSupport
import Testing

/// A file in a folder of its own, and system calls in which a test can take part.
struct Workbench {
    let folder: TemporaryFolder
    let calls = ScriptedCalls()
    let name: String

    init(_ text: String? = "before", name: String = "a.json") throws {
        folder = try TemporaryFolder()
        self.name = name
        // A process that another test begins has open for a moment what is being written here: it is waited for.
        calls.pausesForReal = true
        if let text { try folder.write(name, text) }
    }

    var file: DurableFile { DurableFile(folder.path(of: name)) }

    /// All names in the folder, those that begin with a dot too.
    func names() throws -> [String] { try folder.names() }

    func text() throws -> String { try folder.read(name) }

    func inode(_ name: String? = nil) throws -> UInt64 {
        try DurableFile(folder.path(of: name ?? self.name)).identity().inode
    }

    /// Adds a word to what is there, once, and merges by adding what others added.
    @discardableResult
    func add(
        _ word: String, _ options: ReplaceOptions = .durable, path: String? = nil, limit: Int = 1_000
    ) throws -> Replacement {
        // What takes part may hold this bench.
        defer { calls.forget() }
        return try DurableFile(path ?? file.path).replace(limit: limit, options: options, through: calls) {
            Workbench.next($0, word)
        }
    }

    static func next(_ found: FoundFile, _ word: String) -> [UInt8] {
        var words = Words(found.contents?.bytes ?? [])
        for edit in found.displaced { words.add(Words(edit.bytes).list) }
        if found.confirmed == nil { words.add([word]) }
        return words.bytes
    }

    /// Does something just before one of the calls of a kind.
    func once(before call: ScriptedCalls.Call, _ number: Int = 1, _ action: @escaping () throws -> Void) {
        calls.before = { made, count in
            if made == call, count == number { #expect(throws: Never.self) { try action() } }
        }
    }

    /// As editors do: another file takes the name.
    func renameOver(_ text: String) throws {
        try folder.write("other", text)
        try folder.rename("other", to: name)
    }

    /// Nothing is open, and nothing lies there but these.
    func expectClean(_ names: [String]? = nil, _ location: SourceLocation = #_sourceLocation) throws {
        #expect(try self.names() == names ?? [name], sourceLocation: location)
        #expect(calls.openDescriptors == [], sourceLocation: location)
        #expect(try folder.openDescriptors() == 0, sourceLocation: location)
    }
}

/// Words with spaces between, each once.
struct Words {
    private(set) var list: [String]

    init(_ bytes: [UInt8]) { list = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init) }

    var bytes: [UInt8] { Array(list.joined(separator: " ").utf8) }

    mutating func add(_ words: [String]) { list += words.filter { !list.contains($0) } }
}

extension Replacement {
    /// What it wrote.
    var text: String? { contents.map { String(decoding: $0.bytes, as: UTF8.self) } }
}
