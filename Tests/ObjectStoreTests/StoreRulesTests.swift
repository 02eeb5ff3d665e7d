import Glibc
import LosslessJSON
import TestSupport
import Testing

@testable import ObjectStore

// Damaged files, edits by hand, and files that belong to others.
extension ObjectStoreTests {
    private func objects(of identifier: String) -> String {
        "\(index(of: identifier).dropLast("index.json".count))objects"
    }

    private var allFiles: String { get throws { try shell("find store -type f | sort") } }

    @Test(
        "An older version that a crash has left takes the place of an empty file, and not silently that of a damaged one"
    )
    func damagedNewest() throws {
        try store.saveBlocking(1, as: "a")
        let older = try file(of: "a")
        _ = try shell("cp -p \(older) older")
        try store.saveBlocking(2, as: "a")
        let newest = try file(of: "a")
        _ = try shell("cp -p older \(older) && echo '{ \"identifier\": ' >\(newest)")
        let next = other
        let error = try #require(throws: ObjectStoreError.self) { try next.load(Int.self, "a") }
        #expect(error.description.contains("/\(newest):1:16: error: "), "\(error)")
        let result = try next.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero)
        #expect(
            result.damaged == ["a"] && names(ofMoved: result.orphans) == [String(older.suffix(32))]
                && result.recovered == [])
        _ = try shell("cp -p older \(older) && : >\(newest)")
        #expect(try other.load(Int.self, "a") == 1)
    }

    @Test("Removing or replacing a damaged object leaves no file of it") func damagedRemoved() throws {
        try store.saveBlocking(1, as: "a")
        try folder.write(file(of: "a"), "{")
        try store.saveBlocking(2, as: "a")
        #expect(try store.load(Int.self, "a") == 2)
        #expect(try allFiles == [file(of: "a"), index(of: "a")].sorted().map { "\($0)\n" }.joined())
        try folder.write(file(of: "a"), "{")
        #expect(try store.removeBlocking("a") && allFiles == "\(index(of: "a"))\n")
    }

    private func renameEntry(of identifier: String, to name: String) throws {
        let renamed = JSON.object([name: .init(String(try file(of: identifier).suffix(32)))])
        try folder.write("new", renamed.description)
        try folder.rename("new", to: index(of: identifier))
    }

    @Test("An object whose entry was renamed by hand a moment ago is removed and replaced like others")
    func renamedJustNow() throws {
        let neighbor = try neighbor(of: "a")
        try store.saveBlocking(1, as: "a")
        try renameEntry(of: "a", to: neighbor)
        #expect(try !store.removeBlocking(neighbor))
        try renameEntryBack(neighbor)
        #expect(try store.removeBlocking("a"))
        #expect(try other.load(Int.self, "a") == nil && allFiles == "\(index(of: "a"))\n")
        try store.saveBlocking(1, as: "a")
        try renameEntry(of: "a", to: neighbor)
        try store.saveBlocking(2, as: "a")
        #expect(try other.load(Int.self, "a") == 2 && other.load(Int.self, neighbor) == nil)
        #expect(try store.repairBlocking(discardingOrphans: true, orphansOlderThan: .zero).damaged == [])
        try renameEntry(of: "a", to: neighbor)
        try store.saveBlocking(3, as: neighbor)
        #expect(try other.load(Int.self, "a") == 2 && other.load(Int.self, neighbor) == 3)
    }

    /// Writes the index that names the only file of the shard for another identifier.
    private func renameEntryBack(_ name: String) throws {
        let file = try shell("ls \(objects(of: "a"))").dropLast()
        try folder.write("new", JSON.object([name: .init(String(file))]).description)
        try folder.rename("new", to: index(of: "a"))
    }

    @Test("Where lost entries could not be restored, loading an object tries again instead of finding none")
    func restoredLate() throws {
        try store.saveBlocking(1, as: "a")
        let index = index(of: "a")
        try folder.write("new", "{}")
        try folder.rename("new", to: index)
        // Before the entry is restored, unless the machine is slow.
        eventually("the index was read, or restored") {
            (try? store.load(Int.self, "a")) == .some(nil) || (try? folder.read(index)) != "{}"
        }
        // While the index is broken, no entry can be added.
        try folder.write("new", "{ \"a\": ")
        try folder.rename("new", to: index)
        eventually("the object is loaded") { (try? store.load(Int.self, "a")) == 1 }
        try store.saveBlocking(2, as: "a")
        #expect(try other.load(Int.self, "a") == 2)
    }

    @Test("A directory with a name like that of an object is never touched") func directory() throws {
        try store.saveBlocking(1, as: "a")
        let name = "\(objects(of: "a"))/\(String(repeating: "0", count: 32))"
        _ = try shell("mkdir \(name) && echo mine >\(name)/notes")
        #expect(try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero) == ObjectStoreRepair())
        #expect(try store.repairBlocking(discardingOrphans: true, orphansOlderThan: .zero) == ObjectStoreRepair())
        #expect(try shell("cat \(name)/notes") == "mine\n" && store.load(Int.self, "a") == 1)
    }

    @Test(
        "Something else in place of a file is an error that names it, and does not fail a repair", .needs(.python3),
        arguments: [
            ("mkdir", "Is a directory"), ("mkfifo", "Not a regular file but "),
            ("truncate -s 2G", "Too large: 2147483648 bytes"),
            ("python3 -c 'import socket, sys; socket.socket(1).bind(sys.argv[1])'", "Not a regular file but a socket"),
        ])
    func otherKinds(command: String, message: String) throws {
        try store.saveBlocking(1, as: "a")
        let file = try file(of: "a")
        let other = "\(objects(of: "a"))/\(String(repeating: "0", count: 32))"
        _ = try shell("rm \(file) && \(command) \(file) && \(command) \(other)")
        let error = try #require(throws: ObjectStoreError.self) { try self.other.load(Int.self, "a") }
        #expect(error.description.contains(message), "\(error)")
        #expect(try self.other.repairBlocking().damaged == ["a"])
    }

    @Test("An object in whose file the identifier was changed by hand is damaged, and stays until it is replaced")
    func changedIdentifier() throws {
        try store.saveBlocking(1, as: "a")
        let file = try file(of: "a")
        _ = try shell("sed -i 's/\"a\"/\"z\"/' \(file) && touch -d '2 minutes ago' \(file)")
        for isDiscarding in [false, true] {
            let result = try other.repairBlocking(discardingOrphans: isDiscarding)
            #expect(result.damaged == ["a"] && result.missing == [] && result.orphans == [] && exists(file))
        }
        #expect(throws: ObjectStoreError.self) { try other.load(Int.self, "a") }
        try other.saveBlocking(2, as: "a")
        #expect(try store.load(Int.self, "a") == 2 && !exists(file))
        #expect(try other.repairBlocking() == ObjectStoreRepair())
    }

    @Test("Repairing says where orphans are now, and which it has deleted") func orphanPaths() throws {
        try store.saveBlocking(1, as: "a")
        let orphan = "\(objects(of: "a"))/\(String(repeating: "0", count: 32))"
        _ = try shell("echo x >\(orphan)")
        let moved = try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero).orphans
        #expect(try moved.map { try shell("cat '\($0)'") } == ["x\n"])
        #expect(try store.repairBlocking(discardingOrphans: true).orphans == moved)
        _ = try shell("echo x >\(orphan)")
        let deleted = try store.repairBlocking(discardingOrphans: true, orphansOlderThan: .zero).orphans
        #expect(deleted == [folder.path(of: orphan)] && !exists(orphan))
    }

    @Test("Only files that the store has moved to lost+found are deleted there") func lostAndFound() throws {
        try store.saveBlocking(1, as: "a")
        _ = try shell("echo x >\(objects(of: "a"))/\(String(repeating: "0", count: 32))")
        _ = try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero)
        _ = try shell(
            "mkdir 'store/lost+found/#17' && echo x >'store/lost+found/#18' && echo x >store/lost+found/000-1-a")
        try store.repairBlocking(discardingOrphans: true)
        #expect(try shell("ls store/lost+found") == "#17\n#18\n000-1-a\n")
        _ = try shell("rm -r store/lost+found/*")
        try store.repairBlocking(discardingOrphans: true)
        #expect(!exists("store/lost+found"))
    }

    @Test("An old version stays as long as the save that replaced it may be running") func replacedJustNow() throws {
        try store.saveBlocking(1, as: "a")
        let older = try file(of: "a")
        _ = try shell("cp \(older) older")
        try store.saveBlocking(2, as: "a")
        _ = try shell("cp older \(older) && touch -d '2 minutes ago' \(older)")
        #expect(try store.repairBlocking() == ObjectStoreRepair())
        _ = try shell("touch -d '2 minutes ago' \(try file(of: "a"))")
        #expect(try names(ofMoved: store.repairBlocking().orphans) == [String(older.suffix(32))])
    }

    @Test("Threads that save one object leave no old version") func oneObject() throws {
        let store = ObjectStore(in: store.path, durability: .fast)
        onThreads(8) { thread in
            do {
                for round in 1...(Thoroughness.isFull ? 60 : 20) { try store.saveBlocking([thread, round], as: "one") }
            } catch {
                Issue.record(error)
            }
        }
        #expect(try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero) == ObjectStoreRepair())
        #expect(try allFiles.split(separator: "\n").count == 2)
    }

    @Test("Identifiers that look the same but have other bytes are two objects, also in one shard")
    func canonicallyEquivalent() async throws {
        let found = (0..<200_000).map { "\u{e9}\($0)" }.first {
            Shard.number(of: $0) == Shard.number(of: $0.replacing("\u{e9}", with: "e\u{301}"))
        }
        let composed = try #require(found)
        let decomposed = composed.replacing("\u{e9}", with: "e\u{301}")
        #expect(ObjectChange(composed, .saved) != ObjectChange(decomposed, .saved))
        try store.saveBlocking(1, as: composed)
        try store.saveBlocking(2, as: decomposed)
        #expect(try store.load(Int.self, composed) == 1 && other.load(Int.self, decomposed) == 2)
        #expect(try other.identifiers().count == 2)
        _ = try shell("rm \(objects(of: composed))/*")
        #expect(try other.repairBlocking().missing.count == 2)
        try store.saveBlocking(1, as: composed)
        try store.saveBlocking(2, as: decomposed)
        #expect(try store.removeBlocking(composed))
        #expect(try other.load(Int.self, composed) == nil && other.load(Int.self, decomposed) == 2)
    }
}
