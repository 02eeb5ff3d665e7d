import DurableFiles
import FileScripts
import Foundation
import Glibc
import TestSupport
import Testing

/// Directories of several users, and processes of these users. Needs root.
///
/// `home` belongs to the user, `shared` to root and a group with the user as a member, `system` to root only.
struct MultiUserFixture {
    static let user: UInt32 = 4_321
    static let other: UInt32 = 4_322
    static let group: UInt32 = 4_400

    let folder: TemporaryFolder
    let calls = ScriptedCalls()

    init() throws {
        folder = try TemporaryFolder()
        calls.pausesForReal = true
        chmod(folder.path, 0o755)
        try make("home", owner: Self.user, mode: 0o755)
        try make("shared", owner: 0, group: Self.group, mode: 0o2775)
        try make("system", owner: 0, mode: 0o755)
        try folder.write("system/a.json", "secret")
        chmod(path("system/a.json"), 0o600)
    }

    func path(_ name: String) -> String { folder.path(of: name) }

    func make(_ name: String, owner: UInt32, group: UInt32? = nil, mode: UInt32) throws {
        try folder.createFolder(name)
        try give(name, to: owner, group: group)
        chmod(path(name), mode)
    }

    func give(_ name: String, to owner: UInt32, group: UInt32? = nil) throws {
        try #require(lchown(path(name), owner, group ?? owner) == 0)
    }

    func write(_ name: String, _ text: String, owner: UInt32, mode: UInt32 = 0o644) throws {
        try folder.write(name, text)
        try give(name, to: owner)
        chmod(path(name), mode)
    }

    /// The command that runs a shell script as another user, who is a member of the group.
    static func command(as user: UInt32, _ script: String) -> [String] {
        ["--reuid", "\(user)", "--regid", "\(user)", "--groups", "\(group)", "/bin/sh", "-c", script]
    }

    /// Runs a shell script as that user in the top directory, and waits for it.
    func run(as user: UInt32 = user, _ script: String) throws {
        let result = try Programs.setpriv.program.run(Self.command(as: user, script), in: folder)
        try #require(result.code == 0, "\(script): \(result.messages)")
    }

    func add(_ word: String, to name: String, _ options: ReplaceOptions = .durable) throws -> Replacement {
        defer { calls.forget() }
        return try DurableFile(path(name)).replace(limit: 1_000, options: options, through: calls) {
            ReplaceFixture.next($0, word)
        }
    }

    func text(_ name: String) throws -> String { try folder.read(name) }

    func read(_ name: String) throws -> String {
        String(decoding: try DurableFile(path(name)).read(limit: 1_000, through: calls).bytes, as: UTF8.self)
    }

    /// Expects that the path is neither read nor written, and returns the reason.
    @discardableResult
    func expectRefused(
        _ name: String, _ options: ReplaceOptions = .durable, _ location: SourceLocation = #_sourceLocation
    ) -> UntrustedPath? {
        let written = #expect(throws: FileError.self, sourceLocation: location) {
            try add("stolen", to: name, options)
        }
        let read = #expect(throws: FileError.self, sourceLocation: location) { try self.read(name) }
        #expect(written?.isUntrusted == true, "\(name): \(written.map { "\($0)" } ?? "")", sourceLocation: location)
        #expect(written?.untrusted == read?.untrusted, sourceLocation: location)
        return written?.untrusted
    }

    /// Expects that no file of root has changed, and that no descriptor is open.
    func expectIntact(_ comment: Comment? = nil, _ location: SourceLocation = #_sourceLocation) throws {
        #expect(try text("system/a.json") == "secret", comment, sourceLocation: location)
        let names = try FileManager.default.contentsOfDirectory(atPath: path("system")).sorted()
        #expect(names == ["a.json"], comment, sourceLocation: location)
        #expect(calls.openDescriptors == [], comment, sourceLocation: location)
        #expect(try folder.openDescriptors() == 0, comment, sourceLocation: location)
    }
}

extension FileError {
    /// Whether a path was rejected because of an untrusted user.
    var isUntrusted: Bool { if case .untrusted = code { true } else { false } }

    var untrusted: UntrustedPath? { if case .untrusted(let step) = code { step } else { nil } }
}
