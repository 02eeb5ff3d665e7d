import Foundation
import Glibc
import LosslessJSON
import TestSupport
import Testing

@testable import ObjectStore

/// One process with a store.
@Suite("Object store") struct ObjectStoreTests {
    private struct Portrait: Codable, Sendable, Equatable {
        var name: String
        var size = 1
    }

    let folder: TemporaryFolder
    let store: ObjectStore

    init() throws {
        folder = try TemporaryFolder()
        store = ObjectStore(in: folder.path(of: "store"))
    }

    /// The same store, as another process sees it.
    var other: ObjectStore { ObjectStore(in: store.path) }

    func shell(_ script: String) throws -> String {
        let result = try Program.shell.run(["-c", script], in: folder)
        #expect(result.code == 0, "\(result)")
        return result.output
    }

    func exists(_ name: String) -> Bool { access(folder.path(of: name), F_OK) == 0 }

    /// The file of an object, relative to the folder.
    func file(of identifier: String) throws -> String {
        let shard = "store/\(Shard.directoryName(Shard.number(of: identifier)))"
        let index = try JSON(parsing: folder.read("\(shard)/index.json"))
        return "\(shard)/objects/\(try #require(index[identifier]?.string))"
    }

    /// The former names of files that are in `lost+found` now; the paths of those that are not.
    func names(ofMoved paths: [String]) -> [String] {
        paths.map { $0.contains("/lost+found/") && access($0, F_OK) == 0 ? String($0.suffix(32)) : $0 }
    }

    func index(of identifier: String) -> String {
        "store/\(Shard.directoryName(Shard.number(of: identifier)))/index.json"
    }

    /// Another identifier of the same shard.
    func neighbor(of identifier: String) throws -> String {
        try #require(
            (0..<10_000).map { "neighbor \($0)" }.first { Shard.number(of: $0) == Shard.number(of: identifier) })
    }

    @Test("An object and bytes are there after a restart, until they are removed") func restart() async throws {
        #expect(try store.load(Portrait.self, "user/42") == nil)
        #expect(try store.loadBytes("picture") == nil && store.identifiers() == [])
        #expect(!exists("store"))
        try await store.save(Portrait(name: "ann"), as: "user/42")
        try await store.save(bytes: [0, 10, 255], as: "picture")
        try await store.save(bytes: [], as: "user/nothing")
        let next = other
        #expect(try next.load(Portrait.self, "user/42") == Portrait(name: "ann"))
        #expect(try next.loadBytes("picture") == [0, 10, 255] && next.loadBytes("user/nothing") == [])
        #expect(try next.identifiers() == ["picture", "user/42", "user/nothing"])
        #expect(try next.identifiers(under: "user/") == ["user/42", "user/nothing"])
        #expect(try await next.remove("user/42"))
        #expect(try await !next.remove("user/42"))
        #expect(try next.load(Portrait.self, "user/42") == nil)
        #expect(
            try store.load(Portrait.self, "user/42") == nil && store.identifiers(under: "user/") == ["user/nothing"])
        #expect(try shell("stat -c %a store store/*/index.json | sort -u") == "600\n700\n")
    }

    @Test("A file is readable JSON with its identifier; a new version has a new name, and the old file is removed")
    func files() throws {
        try store.saveBlocking(Portrait(name: "ann"), as: "user/42")
        let first = try file(of: "user/42")
        let version = try #require(try JSON(parsing: folder.read(first))["version"]?.int)
        #expect(version > 1_700_000_000_000_000)
        let text =
            "{\n  \"identifier\": \"user/42\",\n  \"version\": \(version),\n  \"object\": {\n    \"name\": \"ann\",\n    \"size\": 1\n  }\n}\n"
        #expect(try folder.read(first) == text)
        try store.saveBlocking(Portrait(name: "ann"), as: "user/42")
        #expect(try file(of: "user/42") == first)
        try store.saveBlocking(Portrait(name: "bob"), as: "user/42")
        #expect(try file(of: "user/42") != first && !exists(first))
        try store.saveBlocking(bytes: [1, 2], as: "user/42")
        let bytes = try folder.readBytes(file(of: "user/42"))
        #expect(bytes.starts(with: Array(#"{"bytes":2,"identifier":"user/42","version":"#.utf8)))
        #expect(bytes.suffix(4) == [UInt8(ascii: "}"), UInt8(ascii: "\n"), 1, 2])
    }

    @Test(
        "Identifiers are any text, and never become parts of a path",
        arguments: [
            "..", "../../etc/passwd", "/", "a/b", "\u{0}", "\n\u{7f}\u{200b}", "é", "null",
            "0123456789abcdef0123456789abcdef",
            String(repeating: "\u{1}", count: 4_096), "index.json", "{\"bytes\":",
        ])
    func identifiers(identifier: String) throws {
        try store.saveBlocking(7, as: identifier)
        try store.saveBlocking(bytes: [1], as: "other")
        #expect(try other.load(Int.self, identifier) == 7)
        #expect(try other.identifiers().contains(identifier))
        #expect(
            try shell("find . -type f | grep -cvE '^./store/[0-9a-f]{3}/(objects/[0-9a-f]{32}|index.json)$' || true")
                == "0\n")
        #expect(try store.removeBlocking(identifier))
        #expect(try other.load(Int.self, identifier) == nil)
    }

    @Test("An identifier that is empty or too long, and an object without a JSON form, are refused") func refused()
        throws
    {
        for identifier in ["", String(repeating: "a", count: 4_097)] {
            #expect(throws: ObjectStoreError.self) { try store.saveBlocking(1, as: identifier) }
            #expect(throws: ObjectStoreError.self) { try store.load(Int.self, identifier) }
            #expect(throws: ObjectStoreError.self) { try store.removeBlocking(identifier) }
        }
        #expect(throws: ObjectStoreError.self) { try store.saveBlocking(Double.nan, as: "a") }
        #expect(throws: ObjectStoreError.self) { try store.saveBlocking(nested(512), as: "a") }
        #expect(!exists("store"))
        try store.saveBlocking(nested(511), as: "a")
        #expect(try store.load(JSON.self, "a") == nested(511))
    }

    private func nested(_ depth: Int) -> JSON { depth == 0 ? 1 : [nested(depth - 1)] }

    @Test("A damaged file, one of another type and one of another identifier are errors with their place")
    func unusable() throws {
        try store.saveBlocking(Portrait(name: "ann"), as: "a")
        let file = try file(of: "a")
        let text = try folder.read(file)
        try folder.write(file, text.replacing("\"size\": 1", with: "\"size\": \"big\""))
        var error = try #require(throws: ObjectStoreError.self) { try store.load(Portrait.self, "a") }
        #expect(
            error.description.hasSuffix(
                "/\(file):6:13: error: \"object.size\" must be a whole number, found \"big\" (object \"a\")"))
        try folder.write(file, text.replacing("\"ann\",", with: "\"ann\""))
        error = try #require(throws: ObjectStoreError.self) { try store.load(Portrait.self, "a") }
        #expect(error.description.contains("/\(file):6:5: error: expected"))
        try folder.write(file, text.replacing("\"a\"", with: "\"b\""))
        error = try #require(throws: ObjectStoreError.self) { try store.load(Portrait.self, "a") }
        #expect(error.description.hasSuffix("the file has the object of another identifier, \"b\" (object \"a\")"))
        try folder.write(file, text)
        #expect(throws: ObjectStoreError.self) { try store.loadBytes("a") }
        #expect(throws: ObjectStoreError.self) { try store.load(Int.self, "a") }
        try store.saveBlocking(bytes: [1, 2, 3], as: "a")
        #expect(throws: ObjectStoreError.self) { try store.load(Portrait.self, "a") }
        try folder.write(self.file(of: "a"), "{\"bytes\":3,\"identifier\":\"a\"}\nxx")
        #expect(throws: ObjectStoreError.self) { try store.loadBytes("a") }
        #expect(try store.repairBlocking().damaged == ["a"])
    }

    @Test("A link in place of a file is not followed") func links() throws {
        try store.saveBlocking(1, as: "a")
        let file = try file(of: "a")
        let name = String(repeating: "0", count: 32)
        _ = try shell(
            "mv \(file) elsewhere && ln -s ../../../elsewhere \(file) && cp -P \(file) $(dirname \(file))/\(name)")
        let error = try #require(throws: ObjectStoreError.self) { try other.load(Int.self, "a") }
        #expect(error.description == "\(folder.path(of: file)): Not a regular file but a symbolic link")
        #expect(error.path == folder.path(of: file) && error.localizedDescription == error.description)
        let result = try other.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero)
        #expect(result.damaged == ["a"] && result.orphans.map { $0.hasSuffix(name) } == [true])
        #expect(try shell("cat elsewhere").contains("\"object\": 1"))
    }

    @Test(
        "Changes are seen, by this store and another one, for an identifier and for a prefix", .timeLimit(.minutes(10)))
    func changes()
        async throws
    {
        var one = try store.changes(of: "user/1").makeAsyncIterator()
        var all = try other.changes(under: "user/").makeAsyncIterator()
        try await store.save(1, as: "other")
        try await store.save(1, as: "user/1")
        #expect(await one.next() == ObjectChange("user/1", .saved, origin: .update))
        #expect(await all.next() == ObjectChange("user/1", .saved))
        try await store.remove("user/1")
        #expect(await one.next() == ObjectChange("user/1", .removed, origin: .update))
        #expect(await all.next() == ObjectChange("user/1", .removed))
    }
}

// The example.
extension ObjectStoreTests {
    @Test("The example saves, lists and removes, and shows changes of another process") func example() throws {
        let example = Program.built("objects")
        let environment = ["HOME": folder.path]
        func run(_ words: String...) throws -> String {
            let result = try example.run(words, in: folder, environment: environment)
            #expect(result.code == 0 && result.messages == "")
            return result.output
        }
        #expect(try run("list") == "")
        let watching = try example.start(["watch", "shopping/"], in: folder, environment: environment)
        var count = 0
        // It opens all indexes first.
        try eventually("a change is shown", within: .seconds(120)) {
            count += 1
            let output = try run("save", "shopping/today", "\(count) breads")
            #expect(output == "")
            return (try? watching.line(within: .milliseconds(500))) == "shopping/today: saved"
        }
        #expect(try run("save", "shopping/today", "milk, bread") == "")
        #expect(try run("save", "other", "tea") == "")
        #expect(try run("list", "shopping/") == "shopping/today: milk, bread\n")
        #expect(try run("list") == "other: tea\nshopping/today: milk, bread\n")
        #expect(try run("remove", "shopping/today") == "")
        #expect(try watching.line(with: "removed") == "shopping/today: removed")
        #expect(try run("remove", "shopping/today") == "there is no shopping/today\n")
        #expect(try run("save", "", "x").hasPrefix("error: \"\" cannot be an identifier"))
        #expect(try run("help").hasPrefix("usage: objects "))
    }
}

// Many users at the same time.
extension ObjectStoreTests {
    @Test("Hundreds of saves at the same time end, of one identifier and of many", .timeLimit(.minutes(10)))
    func manyTasks() async throws {
        let store = ObjectStore(in: folder.path(of: "cache"), durability: .fast)
        let count = Thoroughness.isFull ? 400 : 100
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { try await store.save(number, as: "one") }
                group.addTask { try await store.save(number, as: "many/\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try store.identifiers(under: "many/").count == count && store.load(Int.self, "one") != nil)
    }

    @Test("Threads that save, load and remove different and same identifiers lose nothing") func threads() async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { [store] group in
            for thread in 0..<4 {
                group.addTask {
                    for round in 1...40 {
                        try await store.save(round, as: "own/\(thread)")
                        #expect(try store.load(Int.self, "own/\(thread)") == round)
                        try await store.save(round, as: "shared")
                        _ = try store.load(Int.self, "shared")
                        try await store.remove("short/\(round % 3)")
                        try await store.save(thread, as: "short/\(round % 3)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try (0..<4).allSatisfy { try store.load(Int.self, "own/\($0)") == 40 })
        #expect(try store.load(Int.self, "shared") == 40)
        let repair = try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero)
        #expect(repair == ObjectStoreRepair(), "\(repair)")
    }
}
