import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// Files and folders that may not be read, and watches that went to the wrong file.
@Suite struct UnwatchableTests {
    let folder: TemporaryFolder
    let faulty = FaultyHub()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{}")
    }

    private func watch(_ name: String = "a.json") throws -> WatchedFile {
        try WatchedFile(folder.path(of: name), by: faulty.hub)
    }

    @Test("a file that may not be read is watched by its folder, and by itself as soon as it may be")
    func unreadableFile() throws {
        faulty.change { $0.addNamed["a.json"] = EACCES }
        let file = try watch()
        #expect(file.isLive)
        for _ in 0..<3 { try file.expectLook("a write") { try folder.write("a.json", "{ }") } }
        try folder.write("tmp", "{}")
        try file.expectLook("a rename") { try folder.rename("tmp", to: "a.json") }
        #expect(!faulty.isWatched(folder.path(of: "a.json")))
        faulty.change { $0.addNamed = [:] }
        file.expectLook("chmod") { #expect(chmod(folder.path(of: "a.json"), 0o644) == 0) }
        #expect(faulty.isWatched(folder.path(of: "a.json")))
        #expect(file.isLive)
    }

    @Test("a folder that may not be read does no harm while what stands in it is watched")
    func unreadableFolder() throws {
        try folder.createFolder("x/y")
        try folder.write("x/y/a.json", "{}")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/y/a.json")
        #expect(file.isLive)
        try file.expectLook("an edit") { try folder.append("x/y/a.json", " ") }
        try file.expectLook("moving away") { try folder.rename("x/y", to: "x/z") }
        // Nothing would tell of a new folder in one that may not be read.
        eventually("it is polled") { file.reason == .unreadableFolder }
        try folder.createFolder("x/y")
        eventually("the folder is found by looking") { file.isLive }
        try file.expectLook("a creation") { try folder.write("x/y/a.json", "{}") }
    }

    @Test("a file in a folder that may not be read is watched as long as it is there")
    func fileInUnreadableFolder() throws {
        try folder.createFolder("x")
        try folder.write("x/a.json", "{}")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/a.json")
        #expect(file.isLive)
        try folder.write("x/tmp", "{}")
        try file.expectLook("a rename") { try folder.rename("x/tmp", to: "x/a.json") }
        #expect(file.isLive && faulty.isWatched(folder.path(of: "x/a.json")))
        try file.expectLook("a deletion") { try folder.remove("x/a.json") }
        eventually("it is polled") { file.reason == .unreadableFolder }
    }

    @Test("a mount in a folder that may not be read, of which inotify tells nothing, is noticed")
    func mountInUnreadableFolder() throws {
        try folder.createFolder("x/y")
        try folder.write("x/y/a.json", "{}")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/y/a.json")
        #expect(file.isLive)
        let (mounted, other) = (folder.path(of: "x/y"), folder.path(of: "x/z"))
        let touched = faulty.inspect { backend in
            [mounted, other].map { place in
                var batch = Batch()
                backend.mountsChanged(at: [Array(place.utf8)], backend.mounts, in: &batch)
                return batch.touches.count
            }
        }
        #expect(touched == [1, 0])
        file.watch.cancel()
        file.settle()
        #expect(faulty.inspect { $0.table.pathCount } == 0)
    }

    @Test("a link in a folder that may not be read can change unseen, so it is polled")
    func linkInUnreadableFolder() throws {
        try folder.createFolder("x")
        try folder.link("x/l", to: "../a.json")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/l")
        #expect(file.reason == .unreadableFolder)
        try file.expectLook("an edit") { try folder.append("a.json", " ") }
    }

    @Test("a watch that begins in a folder that may not be read begins, says so, and becomes live")
    func unreadableAtBeginning() throws {
        try folder.createFolder("x")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/a.json")
        #expect(file.signals.first == .status(.polling(.unreadableFolder(folder.path(of: "x")))))
        #expect(file.reason == .unreadableFolder)
        faulty.change { $0.addNamed = [:] }
        eventually("it is live") { file.isLive }
        try file.expectLook("a creation") { try folder.write("x/a.json", "{}") }
    }

    @Test(
        "a file that is replaced between looking at it and watching it is followed all the same",
        arguments: [false, true])
    func replacedMeanwhile(hasNoList: Bool) throws {
        let (new, old) = (folder.path(of: "new"), folder.path(of: "a.json"))
        try folder.write("new", "{}")
        let hidden = folder.path(of: "hidden")
        faulty.change { faults in
            faults.hasNoList = hasNoList
            faults.beforeAdding = ("a.json", { _ = link(old, hidden) + rename(new, old) })
        }
        // The watch is on the new file, and is noted for the old one, which lives on under another name.
        let file = try watch()
        eventually("it is noted for the right one") { faulty.isWatched(old) && !faulty.isWatched(hidden) }
        for _ in 0..<3 { try file.expectLook("an append") { try folder.append("a.json", " ") } }
        #expect(file.isLive)
        #expect(faulty.hub.statistics.restarts == (hasNoList ? 1 : 0))
    }

    @Test("what the kernel says it watches, and then does not list, is tried again before anything starts over")
    func existsNoMore() throws {
        faulty.change { $0.addOnce = ["a.json": EEXIST] }
        let file = try watch()
        #expect(file.isLive && faulty.isWatched(folder.path(of: "a.json")))
        #expect(faulty.hub.statistics.restarts == 0)
    }

    @Test("a folder that goes between looking at it and watching it is waited for")
    func vanishedMeanwhile() throws {
        try folder.createFolder("x")
        let path = folder.path(of: "x")
        faulty.change { $0.beforeAdding = ("x", { rmdir(path) }) }
        let file = try watch("x/a.json")
        #expect(file.isLive)
        try file.expectLook("the folder") { try folder.createFolder("x") }
        try file.expectLook("a creation") { try folder.write("x/a.json", "{}") }
    }

    @Test("watching everything anew loses nobody")
    func crowded() throws {
        let files = try (0..<20).map { try watch("\($0)") }
        for round in 1...5 {
            faulty.change { $0.isCrowded = true }
            let looks = files.map(\.looks)
            try folder.append("a.json", " ")
            try folder.write("0", "")
            eventually("a start") { faulty.starts == round + 1 }
            for (file, before) in zip(files, looks) { eventually("a look") { file.looks > before } }
        }
        for (number, file) in files.enumerated() {
            try file.expectLook("an edit") { try folder.append("\(number)", " ") }
        }
    }
}
