import DurableFiles
import FileScripts
import Foundation
import Glibc
import TestSupport
import Testing

/// A file in a temporary directory, and scripted calls.
struct ReplaceFixture {
    let folder: TemporaryFolder
    let calls = ScriptedCalls()
    let name: String

    init(_ text: String? = "before", name: String = "a.json") throws {
        folder = try TemporaryFolder()
        self.name = name
        // A process started by another test may briefly inherit the file opened for writing here, and is waited for.
        calls.pausesForReal = true
        calls.stopsClockInClosures = true
        if let text { try folder.write(name, text) }
    }

    var file: DurableFile { DurableFile(folder.path(of: name)) }

    /// All names in the directory, including hidden ones.
    func names() throws -> [String] { try folder.names() }

    func text() throws -> String { try folder.read(name) }

    func inode(_ name: String? = nil) throws -> UInt64 {
        try DurableFile(folder.path(of: name ?? self.name)).identity().inode
    }

    /// Adds a word once, and merges by adding the words that others added.
    @discardableResult
    func add(
        _ word: String, _ options: ReplaceOptions = .durable, path: String? = nil, limit: Int = 1_000
    ) throws -> Replacement {
        // The closures may retain this fixture.
        defer { calls.forget() }
        return try DurableFile(path ?? file.path).replace(limit: limit, options: options, through: calls) {
            ReplaceFixture.next($0, word)
        }
    }

    static func next(_ found: FoundFile, _ word: String) -> [UInt8] {
        var words = WordList(found.contents?.bytes ?? [])
        for edit in found.displaced { words.add(WordList(edit.bytes).list) }
        if found.written == nil { words.add([word]) }
        return words.bytes
    }

    /// Runs an action before a call of a kind.
    func once(before call: ScriptedCalls.Call, _ number: Int = 1, _ action: @escaping () throws -> Void) {
        calls.before = { made, count in
            if made == call, count == number { #expect(throws: Never.self) { try action() } }
        }
    }

    /// Renames another file over this one, as editors do.
    func renameOver(_ text: String) throws {
        try folder.write("other", text)
        try folder.rename("other", to: name)
    }

    /// Expects no open descriptors, and no files but these.
    func expectClean(_ names: [String]? = nil, _ location: SourceLocation = #_sourceLocation) throws {
        #expect(try self.names() == names ?? [name], sourceLocation: location)
        #expect(calls.openDescriptors == [], sourceLocation: location)
        #expect(try folder.openDescriptors() == 0, sourceLocation: location)
    }
}

/// Unique words separated by spaces.
struct WordList {
    private(set) var list: [String]

    init(_ bytes: [UInt8]) { list = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init) }

    var bytes: [UInt8] { Array(list.joined(separator: " ").utf8) }

    mutating func add(_ words: [String]) { list += words.filter { !list.contains($0) } }
}

extension Replacement {
    /// The contents of the file after the replacement.
    var text: String? { contents.map { String(decoding: $0.bytes, as: UTF8.self) } }
}
