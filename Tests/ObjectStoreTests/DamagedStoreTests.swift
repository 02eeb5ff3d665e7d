import Glibc
import LosslessJSON
import TestSupport
import Testing

@testable import ObjectStore

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

    @Test("An entry that is removed by hand while the store is open comes back; a missing file is an error")
    func removedEntry() throws {
        try store.saveBlocking(1, as: "a")
        let (index, file) = (index(of: "a"), try file(of: "a"))
        try replace(index, with: "{}")
        eventually("the entry is there again") { (try? folder.read(index))?.contains("\"a\"") == true }
        #expect(try store.load(Int.self, "a") == 1)
        _ = try shell("rm \(file)")
        let error = try #require(throws: ObjectStoreError.self) { try store.load(Int.self, "a") }
        #expect(error.description == "\(folder.path)/\(file): the file of \"a\" does not exist")
        #expect(try store.repairBlocking().missing == ["a"])
        #expect(try store.load(Int.self, "a") == nil)
    }

    @Test(
        "An entry that is renamed by hand comes back, to an identifier of the same shard, of another shard, or to an object's",
        arguments: ["same", "another", "object"], [true, false])
    func renamedEntry(target: String, isOpen: Bool) throws {
        let neighbor = try neighbor(of: "a")
        let name = target == "another" ? "renamed by hand" : neighbor
        try store.saveBlocking(1, as: "a")
        if target == "object" { try store.saveBlocking(2, as: neighbor) }
        let (index, file) = (index(of: "a"), try file(of: "a"))
        let renamed = JSON.object([name: .init(String(file.suffix(32)))])
        try replace(index, with: renamed.description)
        let next = isOpen ? store : other
        if !isOpen { #expect(try next.load(Int.self, "a") == 1) }
        eventually("the object is loaded again") { (try? next.load(Int.self, "a")) == 1 }
        let expected = target == "object" ? 2 : nil
        eventually("the other one is loaded, too") {
            do { return try next.load(Int.self, name) == expected } catch { return false }
        }
        #expect(try other.load(Int.self, "a") == 1 && other.load(Int.self, name) == expected)
        #expect(try next.identifiers() == (target == "object" ? ["a", neighbor] : ["a"]))
        #expect(try next.repairBlocking() == ObjectStoreRepair())
        #expect(try folder.read(index).contains("\"\(name)\"") == (target == "object"))
    }

    private func replace(_ index: String, with text: String) throws {
        try folder.write("new", text)
        try folder.rename("new", to: index)
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
        try replace(index, with: "{ \"a\": ")
        #expect(try store.load(Int.self, "a") == 1)
        #expect(throws: ObjectStoreError.self) { try store.saveBlocking(2, as: "a") }
        #expect(try store.load(Int.self, "a") == 1 && folder.read(index) == "{ \"a\": ")
        try replace(index, with: text)
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

    @Test("An index that is changed while it is checked against the files is checked again")
    func changedDuringCheck() throws {
        try store.saveBlocking(1, as: "a")
        let (index, file) = (index(of: "a"), try file(of: "a"))
        // Files without an owner, so that a check takes longer than the pauses between the changes below.
        for number in 0..<(Sanitizer.isActive ? 300 : 1_000) {
            try folder.write("\(file.dropLast(8))\(10_000_000 + number)", "damaged")
        }
        let entry = "\"a\": \"\(file.suffix(32))\""
        for pause in [520, 550] {
            try replace(index, with: "{\(entry), \"note\": \(pause)}")
            // A check, which finds nothing to do, begins 500 ms after the change, or somewhat later.
            usleep(useconds_t(pause * 1_000))
            try replace(index, with: "{}")
            eventually("the entry is there again") { (try? folder.read(index))?.contains(entry) == true }
        }
        #expect(try store.load(Int.self, "a") == 1)
    }

    @Test("Saving removes earlier versions of the object that other saves have left") func leftoverVersions() throws {
        try store.saveBlocking(1, as: "a")
        let first = try file(of: "a")
        _ = try shell("cp -p \(first) older")
        try store.saveBlocking(2, as: "a")
        // Where a save was stopped before it removed the version that it replaced.
        _ = try shell("mv older \(first)")
        try store.saveBlocking(3, as: "a")
        #expect(try shell("ls \(first.dropLast(33))") == "\(file(of: "a").suffix(32))\n")
        #expect(try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero) == ObjectStoreRepair())
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
        try next.saveBlocking(3, as: "a")
        #expect(try next.load(Int.self, "a") == 3 && next.load(Int.self, neighbor) == 2)
        #expect(try next.repairBlocking() == ObjectStoreRepair())
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
        #expect(Set(names(ofMoved: result.orphans)) == [name, "\(name.dropLast())1"])
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
}
