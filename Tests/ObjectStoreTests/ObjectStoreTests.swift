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

    private let folder: TemporaryFolder
    private let store: ObjectStore

    init() throws {
        folder = try TemporaryFolder()
        store = ObjectStore(in: folder.path(of: "store"))
    }

    /// The same store, as another process sees it.
    private var other: ObjectStore { ObjectStore(in: store.path) }

    private func shell(_ script: String) throws -> String {
        let result = try Program.shell.run(["-c", script], in: folder)
        #expect(result.code == 0, "\(result)")
        return result.output
    }

    private func exists(_ name: String) -> Bool { access(folder.path(of: name), F_OK) == 0 }

    /// The file of an object, relative to the folder.
    private func file(of identifier: String) throws -> String {
        let shard = "store/\(Shard.directoryName(Shard.number(of: identifier)))"
        let index = try JSON(parsing: folder.read("\(shard)/index.json"))
        return "\(shard)/objects/\(try #require(index[identifier]?.string))"
    }

    private func index(of identifier: String) -> String {
        "store/\(Shard.directoryName(Shard.number(of: identifier)))/index.json"
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
            error.description.hasSuffix("/\(file):6:13: error: \"object.size\" must be a whole number, found \"big\""))
        try folder.write(file, text.replacing("\"ann\",", with: "\"ann\""))
        error = try #require(throws: ObjectStoreError.self) { try store.load(Portrait.self, "a") }
        #expect(error.description.contains("/\(file):6:5: error: expected"))
        try folder.write(file, text.replacing("\"a\"", with: "\"b\""))
        error = try #require(throws: ObjectStoreError.self) { try store.load(Portrait.self, "a") }
        #expect(error.description.hasSuffix("the file has the object of another identifier, \"b\""))
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
        #expect(throws: ObjectStoreError.self) { try other.load(Int.self, "a") }
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
        try eventually("a change is shown") {
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

// What people and crashes do to the files.
extension ObjectStoreTests {
    @Test(
        "An index that is removed, emptied, broken, replaced by an older one or by no object is completed when the store is opened",
        arguments: [
            "rm INDEX", "echo '{}' >INDEX", "echo '{ \"a\": ' >INDEX", "cp old INDEX", "echo '[]' >INDEX", ": >INDEX",
        ])
    func lostIndex(script: String) throws {
        try store.saveBlocking("old", as: "a")
        let index = index(of: "a")
        _ = try shell("cp \(index) old")
        try store.saveBlocking("new", as: "a")
        _ = try shell(script.replacing("INDEX", with: index))
        let next = other
        #expect(try next.load(String.self, "a") == "new" && next.identifiers() == ["a"])
        try next.saveBlocking("newer", as: "a")
        #expect(try other.load(String.self, "a") == "newer")
        #expect(try next.repairBlocking() == ObjectStoreRepair())
    }

    @Test("An entry that is removed or renamed by hand while the store is open comes back; a missing file is an error")
    func handEdits() throws {
        try store.saveBlocking(1, as: "a")
        let (index, file) = (index(of: "a"), try file(of: "a"))
        try folder.write("new", "{}")
        try folder.rename("new", to: index)
        eventually("the entry is there again") { (try? folder.read(index))?.contains("\"a\"") == true }
        #expect(try store.load(Int.self, "a") == 1)
        let text = try folder.read(index)
        try folder.write("new", text.replacing("\"a\"", with: "\"renamed by hand\""))
        try folder.rename("new", to: index)
        eventually("the entry is there again") { (try? folder.read(index))?.contains("\"a\"") == true }
        #expect(try store.load(Int.self, "a") == 1)
        _ = try shell("rm \(file)")
        let error = try #require(throws: ObjectStoreError.self) { try store.load(Int.self, "a") }
        #expect(error.description == "\(folder.path)/\(file): the file of \"a\" does not exist")
        #expect(try store.repairBlocking().missing.contains("a"))
        #expect(try store.load(Int.self, "a") == nil)
    }

    @Test("A store whose directory is removed while it is open has no objects, and saves new ones") func removed()
        throws
    {
        let neighbor = try neighbor(of: "a")
        for identifier in ["a", neighbor] { try store.saveBlocking(1, as: identifier) }
        _ = try shell("rm -r store")
        eventually("the object is not found any more") {
            do { return try store.load(Int.self, "a") == nil } catch { return false }
        }
        #expect(try store.identifiers() == [])
        try store.saveBlocking(2, as: "a")
        #expect(try store.load(Int.self, "a") == 2 && other.load(Int.self, "a") == 2)
        #expect(try store.load(Int.self, neighbor) == nil && other.identifiers() == ["a"])
    }

    @Test("What an interrupted save has left does not come back after the object is removed")
    func removedLeftovers() throws {
        try store.saveBlocking(1, as: "a")
        let leftover = try file(of: "a").dropLast(32) + String(repeating: "0", count: 32)
        _ = try shell("cp \(try file(of: "a")) \(leftover)")
        #expect(try store.removeBlocking("a"))
        _ = try shell("rm \(index(of: "a"))")
        #expect(try other.load(Int.self, "a") == nil)
        // The first save was killed before the entry was written, while this store was open.
        let next = other
        #expect(try next.load(Int.self, "a") == nil)
        try other.saveBlocking(2, as: "a")
        _ = try shell("cp \(try file(of: "a")) saved")
        #expect(try store.removeBlocking("a"))
        _ = try shell("cp saved \(leftover)")
        #expect(try next.removeBlocking("a") && other.load(Int.self, "a") == nil)
        #expect(try shell("find store -type f") == "\(index(of: "a"))\n")
    }

    @Test("An object whose file a person has formatted is replaced and removed like others") func formatted() throws {
        for _ in 0..<2 {
            try store.saveBlocking(1, as: "a")
            _ = try shell("printf '{ \"object\": 2, \"identifier\": \"a\" }' >\(try file(of: "a"))")
            #expect(try store.load(Int.self, "a") == 2)
        }
        #expect(try store.removeBlocking("a"))
        #expect(try shell("find store -type f") == "\(index(of: "a"))\n")
    }

    @Test("An index that could not be completed is completed by a later load") func incomplete() throws {
        try store.saveBlocking(1, as: "a")
        try folder.write(index(of: "a"), "[]")
        try folder.write("store/lost+found", "in the way")
        let next = other
        for _ in 0..<2 { #expect(throws: ObjectStoreError.self) { try next.load(Int.self, "a") } }
        try folder.remove("store/lost+found")
        #expect(try next.load(Int.self, "a") == 1 && next.load(Int.self, "b") == nil)
    }

    @Test("A removal that was interrupted is finished when the store is opened") func interruptedRemoval() throws {
        try store.saveBlocking(1, as: "a")
        let name = try file(of: "a").suffix(32)
        try folder.write(index(of: "a"), #"{"a": ["\#(name)"]}"#)
        #expect(try other.load(Int.self, "a") == nil)
        #expect(try shell("find store -type f; cat \(index(of: "a"))") == "\(index(of: "a"))\n{}")
    }

    @Test(
        "An object that was saved again after a removal survives the index of an interrupted removal, and null",
        arguments: [true, false])
    func removalInOldIndex(isNull: Bool) throws {
        try store.saveBlocking(1, as: "a")
        let name = try file(of: "a").suffix(32)
        #expect(try store.removeBlocking("a"))
        try store.saveBlocking(2, as: "a")
        try folder.write(index(of: "a"), isNull ? #"{"a": null}"# : #"{"a": ["\#(name)"]}"#)
        let next = other
        #expect(try next.load(Int.self, "a") == 2)
        #expect(try next.repairBlocking() == ObjectStoreRepair())
    }

    @Test("Of two files of an object, the newer one counts, whichever the index names and whatever the clock says")
    func newestVersion() throws {
        for version in 1...12 { try store.saveBlocking(version, as: "a") }
        let (index, older) = (index(of: "a"), try file(of: "a"))
        _ = try shell("cp \(index) old && cp -p \(older) older")
        try store.saveBlocking(13, as: "a")
        // A crash has left the older file, and a person puts the older index back.
        _ = try shell("cp old \(index) && cp older \(older) && touch -d tomorrow \(older)")
        let next = other
        #expect(try next.load(Int.self, "a") == 13)
        #expect(try next.repairBlocking(discardingOrphans: true, orphansOlderThan: .zero).damaged == [])
        #expect(try other.load(Int.self, "a") == 13)
        // Neither does an index without the entry, nor a save after that.
        _ = try shell("echo '{}' >\(index) && cp older \(older)")
        #expect(try other.load(Int.self, "a") == 13)
        _ = try shell("cp old \(index) && rm -f \(older)")
        try next.saveBlocking(14, as: "a")
        #expect(try other.load(Int.self, "a") == 14 && next.load(Int.self, "a") == 14)
    }

    @Test(
        "An entry that is not the name of a file is an error with its place, unless the object's file is found",
        arguments: ["5", "\"../../etc/passwd\"", "[\"x\"]", "{}", "\"\""])
    func invalidEntry(entry: String) throws {
        let neighbor = try neighbor(of: "a")
        try store.saveBlocking(1, as: "a")
        try folder.write(index(of: "a"), "{ \(JSON(neighbor).description): \(entry), \"a\": \(entry) }")
        let next = other
        #expect(try next.load(Int.self, "a") == 1)
        let error = try #require(throws: ObjectStoreError.self) { try next.load(Int.self, neighbor) }
        #expect(error.description.hasSuffix("is not the name of a file of this store"))
        #expect(try next.repairBlocking().missing == [neighbor])
        #expect(try next.load(Int.self, neighbor) == nil && next.identifiers() == ["a"])
    }

    @Test("While the index of an open store is no JSON, objects are loaded, and saving is an error until it is mended")
    func brokenWhileOpen() throws {
        try store.saveBlocking(1, as: "a")
        let (index, file) = (index(of: "a"), try file(of: "a"))
        let text = try folder.read(index)
        try folder.write("new", "{ \"a\": ")
        try folder.rename("new", to: index)
        #expect(try store.load(Int.self, "a") == 1)
        #expect(throws: ObjectStoreError.self) { try store.saveBlocking(2, as: "a") }
        #expect(try store.load(Int.self, "a") == 1 && folder.read(index) == "{ \"a\": ")
        try folder.write("new", text)
        try folder.rename("new", to: index)
        eventually("saving works again") { (try? store.saveBlocking(2, as: "a")) != nil }
        #expect(try store.load(Int.self, "a") == 2 && !exists(file))
    }

    @Test("The path of a store is absolute, so that it stays the same when the working directory changes")
    func relativePath() {
        #expect(ObjectStore(in: "objects").path.hasPrefix("/"))
        #expect(throws: ObjectStoreError.self) { try ObjectStore(in: "").saveBlocking(1, as: "a") }
    }

    @Test("Objects that are saved after their entries were exchanged by hand keep their newest version")
    func exchangedVersions() throws {
        let neighbor = try neighbor(of: "a")
        for version in 1...5 { try store.saveBlocking(version, as: "a") }
        try store.saveBlocking(1, as: neighbor)
        let (first, second) = (try file(of: "a").suffix(32), try file(of: neighbor).suffix(32))
        let names = JSON.object(["a": .init(String(second)), neighbor: .init(String(first))])
        try folder.write(index(of: "a"), names.description)
        let next = other
        try next.saveBlocking(6, as: "a")
        try next.saveBlocking(2, as: neighbor)
        #expect(try other.load(Int.self, "a") == 6 && other.load(Int.self, neighbor) == 2)
        #expect(try next.repairBlocking().missing == [])
        #expect(try other.load(Int.self, "a") == 6 && other.load(Int.self, neighbor) == 2)
        #expect(try next.removeBlocking("a") && other.load(Int.self, "a") == nil)
    }

    @Test("An older index that is put back while the store is open does not undo what is saved then")
    func olderIndexWhileOpen() throws {
        try store.saveBlocking(1, as: "a")
        let (index, older) = (index(of: "a"), try file(of: "a"))
        _ = try shell("cp -p \(index) old && cp -p \(older) older")
        for version in 2...5 { try store.saveBlocking(version, as: "a") }
        // A crash has left the oldest file.
        _ = try shell("cp -p older \(older) && cp old new && mv new \(index)")
        try store.saveBlocking(7, as: "a")
        #expect(try store.load(Int.self, "a") == 7 && other.load(Int.self, "a") == 7)
        _ = try shell("cp -p older \(older); cp old new && mv new \(index)")
        eventually("the newest file has its entry again") { (try? folder.read(index)) != (try? folder.read("old")) }
        // The file has it a moment before the memory.
        eventually("the newest version is loaded") { (try? store.load(Int.self, "a")) == 7 }
        #expect(try other.load(Int.self, "a") == 7)
    }

    @Test("Saving after entries were exchanged by hand leaves the files of other objects alone")
    func exchanged() throws {
        let neighbor = try neighbor(of: "a")
        try store.saveBlocking(1, as: "a")
        try store.saveBlocking(2, as: neighbor)
        let (first, second) = (try file(of: "a"), try file(of: neighbor))
        let name = { (file: String) in String(file.suffix(32)) }
        let exchanged = JSON.object(["a": .init(name(second)), neighbor: .init(name(first))])
        try folder.write(index(of: "a"), exchanged.description)
        let next = other
        #expect(throws: ObjectStoreError.self) { try next.load(Int.self, "a") }
        try next.saveBlocking(3, as: "a")
        #expect(try next.repairBlocking().missing == [neighbor])
        #expect(try next.load(Int.self, "a") == 3 && next.load(Int.self, neighbor) == 2)
    }

    /// Another identifier of the same shard.
    private func neighbor(of identifier: String) throws -> String {
        try #require(
            (0..<10_000).map { "neighbor \($0)" }.first { Shard.number(of: $0) == Shard.number(of: identifier) })
    }

    @Test("Files without an entry move to lost+found when they are old enough, and are deleted only on request")
    func orphans() throws {
        try store.saveBlocking(1, as: "a")
        let file = try file(of: "a")
        let shard = index(of: "a").dropLast("index.json".count) + "objects"
        let name = String(repeating: "0", count: 32)
        _ = try shell(
            "cp \(file) \(shard)/\(name) && echo mine >\(shard)/notes.txt && echo x >\(shard)/\(name.dropLast())1")
        #expect(try store.repairBlocking() == ObjectStoreRepair())
        let result = try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero)
        #expect(
            result.orphans.sorted() == [
                "\(folder.path)/\(shard)/\(name)", "\(folder.path)/\(shard)/\(name.dropLast())1",
            ])
        #expect(try shell("ls store/lost+found | wc -l; cat \(shard)/notes.txt") == "2\nmine\n")
        #expect(try store.load(Int.self, "a") == 1)
        try store.repairBlocking(discardingOrphans: true)
        #expect(!exists("store/lost+found") && exists("\(shard)/notes.txt"))
    }

    @Test("What a save has left that was interrupted where every file needs a name is deleted when it is old")
    func interrupted() throws {
        try store.saveBlocking(1, as: "a")
        let name = "\(index(of: "a").dropLast("index.json".count))objects/.object.sm-new-0"
        try folder.write(name, "x")
        try store.repairBlocking()
        #expect(exists(name))
        _ = try shell("touch -d '2 minutes ago' \(name)")
        #expect(try store.repairBlocking() == ObjectStoreRepair())
        #expect(!exists(name))
    }

    @Test(
        "A full disk and a directory that cannot be written leave the previous object", .requiresRoot,
        .needs(.unshare, .mount))
    func failures() throws {
        let result = try Programs.unshare.program.run(
            [
                "--mount", "/bin/sh", "-c",
                """
                mkdir full && mount -t tmpfs -o size=256k tmpfs full && "$0" save full/store a 1 &&
                head -c 10000000 /dev/zero >full/filler 2>/dev/null; "$0" save full/store a 2; "$0" load full/store a
                rm full/filler && mount -o remount,ro full && "$0" save full/store a 3; "$0" load full/store a
                """, Program.built("ObjectProbe").path,
            ], in: folder)
        let lines = result.output.split(separator: "\n")
        try #require(lines.count == 5, "\(result)")
        #expect(lines[0] == "1" && lines[2] == "1" && lines[4] == "1")
        #expect(lines[1].contains("No space left on device; free space") && lines[3].contains("Read-only file system"))
    }

    @Test("Hundreds of saves at the same time end, of one identifier and of many", .timeLimit(.minutes(10)))
    func manyTasks() async throws {
        let store = ObjectStore(in: folder.path(of: "cache"), durability: .fast)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask { try await store.save(number, as: "one") }
                group.addTask { try await store.save(number, as: "many/\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try store.identifiers(under: "many/").count == 400 && store.load(Int.self, "one") != nil)
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
