import Glibc
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@testable import FleetSession

@Suite("merging with the store") struct FleetMergeTests {
    private func settings(_ policy: ConflictPolicy = .fileWins) throws -> FileSettings {
        let folder = try TemporaryFolder()
        var options = SessionOptions()
        options.conflicts = policy
        return try Session<JSON>([:], at: folder.path(of: "a.json"), options: options).fileSettings
    }

    private func merge(
        _ base: String?, _ ours: JSON, _ theirs: String, local: [JSONPointer] = [], _ policy: ConflictPolicy = .fileWins
    ) throws -> FleetMerge.Result {
        FleetMerge(
            base: try base.map { try JSON(parsing: $0) }, theirs: try JSONDocument(parsing: theirs),
            settings: try settings(policy), localPaths: LocalPaths(paths: local)
        ).merged(with: ours)
    }

    @Test("Changes of both sides are kept") func bothSides() throws {
        let result = try merge("{\"a\": 1, \"b\": 1}", ["a": 2, "b": 1], "{\"a\": 1, \"b\": 2}")
        #expect(result.tree == ["a": 2, "b": 2])
        #expect(result.conflicts.isEmpty)
    }

    @Test("In a conflict the other machines win, or this one, by the session's policy") func conflict() throws {
        let theirs = try merge("{\"a\": 1}", ["a": 2], "{\"a\": 3}")
        #expect(theirs.tree == ["a": 3])
        #expect(theirs.conflicts.map(\.values) == [JSONConflict(path: "/a", base: 1, ours: 2, theirs: 3)])
        #expect(theirs.conflicts.first?.kept == 3)
        #expect(try merge("{\"a\": 1}", ["a": 2], "{\"a\": 3}", .memoryWins).tree == ["a": 2])
        #expect(try merge("{\"a\": 1}", ["a": 2], "{\"a\": 3}", .custom { _ in 4 }).tree == ["a": 4])
    }

    @Test("Without a base, what only one side has is kept, also in objects of both") func noBase() throws {
        let result = try merge(nil, ["a": 1, "o": ["x": 1, "y": 1]], "{\"b\": 2, \"o\": {\"x\": 1, \"z\": 2}}")
        #expect(result.tree == ["a": 1, "b": 2, "o": ["x": 1, "y": 1, "z": 2]])
        #expect(result.conflicts.isEmpty)
    }

    @Test("Local values of the store are not adopted") func local() throws {
        let paths: [JSONPointer] = ["/http/address", "/name"]
        let result = try merge(
            "{}", ["http": ["address": "mine", "port": 1]],
            "{\"http\": {\"address\": \"theirs\", \"port\": 2}, \"name\": 1}",
            local: paths)
        #expect(result.tree["http"]?["address"] == "mine")
        #expect(result.tree["name"] == nil)
        #expect(try merge(nil, [:], "{\"http\": {\"address\": \"theirs\"}}", local: paths).tree["http"] == [:])
    }

    @Test("Local values are not sent") func outgoing() throws {
        let local = LocalPaths(paths: ["/http/address"])
        let common = CommonText(
            document: try JSONDocument(parsing: "{\"http\": {\"port\": 1}} // ours"), revision: 1, keyRevision: 1)
        let file = try JSONDocument(parsing: "{\"http\": {\"address\": \"a\", \"port\": 1}}")
        #expect(try common.outgoing(for: file, local) == nil)
        let edited = try JSONDocument(parsing: "{\"http\": {\"address\": \"a\", \"port\": 2}}")
        #expect(try common.outgoing(for: edited, local)?.text == "{\"http\": {\"port\": 2}} // ours")
        #expect(try CommonText.none.outgoing(for: edited, local)?.text == "{\"http\": {\"port\": 2}}")
    }

    @Test("The common text survives in a file, and another key's is not taken for it") func commonText() throws {
        let folder = try TemporaryFolder()
        let directory = try FleetDirectory(folder.path(of: "state"), of: "/a", JSONDocument.Options())
        #expect(try directory.commonText().document == nil)
        let text = "{\"a\": 1} // \"quoted\" \u{1F600}\n"
        try directory.setCommonText(
            CommonText(document: try JSONDocument(parsing: text), revision: 7, keyRevision: 5))
        do {
            let second = try FleetDirectory(folder.path(of: "state"), of: "/a", JSONDocument.Options())
            for reader in [directory, second] {
                let common = try reader.commonText()
                #expect(common.document?.text == text)
                #expect(common.revision == 7 && common.keyRevision == 5)
            }
        }
        try folder.write("state/common.json", "{ \"key\": ")
        #expect(try directory.commonText().revision == 0)
        try directory.setCommonText(CommonText(document: try JSONDocument(parsing: text), revision: 7, keyRevision: 5))
        directory.close()
        let other = try FleetDirectory(folder.path(of: "state"), of: "/b", JSONDocument.Options())
        #expect(try other.commonText().document == nil)
    }

    @Test("The standard directory lies hidden beside the file") func standardPath() {
        #expect(FleetDirectory.standardPath(for: "/etc/shop/settings.json") == "/etc/shop/.settings.json.fleet")
    }
}

@Suite("values that are written back") struct ReplacedValuesTests {
    private func common(_ text: String, replaced base: JSON, at time: Int = 0) throws -> CommonText {
        var common = CommonText(document: try JSONDocument(parsing: text), revision: 1, keyRevision: 1)
        common.replacedValues.add(ValueChange.list(from: base, to: try JSON(parsing: text)), at: time)
        return common
    }

    private func settled(_ tree: JSON, _ common: CommonText, since start: Int = 0) throws -> JSON {
        let folder = try TemporaryFolder()
        let session = try Session<JSON>([:], at: folder.path(of: "a.json"))
        return tree.reverting(common.staleChanges(in: tree, file: tree, since: start, session.intendedValues()))
    }

    @Test("A value that was just replaced is stale, others are changes") func stale() throws {
        let common = try common("{\"a\": 2, \"b\": 1, \"new\": 1}", replaced: ["a": 1, "b": 1])
        #expect(try settled(["a": 1, "b": 3], common) == ["a": 2, "b": 3, "new": 1])
        #expect(try settled(["a": 3, "b": 1, "new": 2], common) == ["a": 3, "b": 1, "new": 2])
    }

    @Test("An array counts as a whole") func arrays() throws {
        let common = try common("{\"list\": [1, 2, 3]}", replaced: ["list": [1, 2]])
        #expect(try settled(["list": [1, 2]], common) == ["list": [1, 2, 3]])
        #expect(try settled(["list": [1]], common) == ["list": [1]])
    }

    @Test("Only for a while, in every process of the machine") func window() throws {
        let folder = try TemporaryFolder()
        let directory = try FleetDirectory(folder.path(of: "state"), of: "/a", JSONDocument.Options())
        let now = directory.now
        try directory.setCommonText(try common("{\"a\": 2}", replaced: ["a": 1], at: now))
        let other = try FleetDirectory(folder.path(of: "state"), of: "/a", JSONDocument.Options())
        #expect(try settled(["a": 1], other.commonText(), since: now - 1_000) == ["a": 2])
        #expect(try settled(["a": 1], other.commonText(), since: now + 1) == ["a": 1])
        try directory.setCommonText(try common("{\"a\": 2}", replaced: ["a": 1], at: now - 2_000))
        #expect(try settled(["a": 1], other.commonText(), since: other.windowStart) == ["a": 1])
    }

    @Test("The window is that in which the file was written last, whatever the times of its content") func writing()
        throws
    {
        let folder = try TemporaryFolder()
        let directory = try FleetDirectory(folder.path(of: "state"), of: "/a", JSONDocument.Options())
        let before = directory.windowStart
        try folder.write("a.json", "{}")
        let path = folder.path(of: "a.json")
        // The clock of files may be some milliseconds late.
        #expect(directory.windowStart(ofFile: path) >= before - 100)
        let times = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, times, 0)
        #expect(directory.windowStart(ofFile: path) >= before - 100)
        let written = directory.windowStart(ofFile: path)
        eventually("the window of now begins later") { directory.windowStart > written }
        #expect(directory.windowStart(ofFile: path) == written)
    }
}
