import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Recreating a deleted file")
struct RecreatedFileTests {
    private let fixture: ReplaceFixture
    private let attributes = LastKnownAttributes()

    init() throws {
        fixture = try ReplaceFixture()
        chmod(fixture.file.path, 0o644)
    }

    private func mode() throws -> UInt32 { try Kernel.shared.status(at: fixture.file.path).permissions }

    private func write(_ text: String) throws -> Replacement {
        try fixture.file.replace(
            limit: 100, options: .durable, through: fixture.calls, lastAttributes: attributes
        ) { _ in Array(text.utf8) }
    }

    @Test("A recreated file has the permissions with which it was last read")
    func read() throws {
        _ = try fixture.file.read(limit: 100, through: fixture.calls, lastAttributes: attributes)
        try fixture.folder.remove("a.json")
        let replacement = try write("again")
        #expect(try replacement.method == .created && mode() == 0o644 && replacement.contents?.mode == 0o644)
    }

    @Test("A recreated file has the permissions with which it was last replaced")
    func replaced() throws {
        _ = try write("once")
        try fixture.folder.remove("a.json")
        #expect(try write("again").method == .created)
        #expect(try mode() == 0o644)
        try fixture.expectClean()
    }

    @Test("A file deleted during a replacement is recreated with its permissions")
    func deletedMeanwhile() throws {
        fixture.once(before: .exchange) { [fixture] in try fixture.folder.remove("a.json") }
        #expect(try fixture.add("after").method == .created)
        #expect(try mode() == 0o644)
    }

    @Test("A file that was never read is created with the permissions of the options")
    func neverRead() throws {
        try fixture.folder.remove("a.json")
        #expect(try write("first").method == .created)
        #expect(try mode() == 0o600)
    }

    @Test("A recreated file has its former owner and group, and no set-ID bits", .asAnyUser)
    func owner() throws {
        try #require(chown(fixture.file.path, 4_321, 4_322) == 0)
        chmod(fixture.file.path, 0o6750)
        _ = try fixture.file.read(limit: 100, through: fixture.calls, lastAttributes: attributes)
        try fixture.folder.remove("a.json")
        _ = try write("again")
        let status = try Kernel.shared.status(at: fixture.file.path)
        #expect(status.user == 4_321 && status.group == 4_322 && status.permissions == 0o750)
    }

    @Test("A recreated file that cannot get its group back has no group permissions")
    func lostGroup() throws {
        chmod(fixture.file.path, 0o664)
        _ = try fixture.file.read(limit: 100, through: fixture.calls, lastAttributes: attributes)
        try fixture.folder.remove("a.json")
        attributes.change {
            $0.user = 4_321
            $0.group = 4_322
        }
        fixture.calls.failures = [.setOwner: [EPERM, EPERM]]
        let replacement = try write("again")
        #expect(try mode() == 0o604 && replacement.lostAttributes == [.user, .group])
    }
}
