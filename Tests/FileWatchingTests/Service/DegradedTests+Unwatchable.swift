import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// Files and directories that are not readable, and watches of the wrong inode.
extension DegradedTests {
    @Test("An unreadable file is watched through its directory, and directly as soon as it is readable")
    func unreadableFile() throws {
        faulty.change { $0.addNamed["a.json"] = EACCES }
        let file = try watch()
        #expect(file.isLive)
        for _ in 0..<3 { try file.expectChange("a write") { try folder.write("a.json", "{ }") } }
        try folder.write("tmp", "{}")
        try file.expectChange("a rename") { try folder.rename("tmp", to: "a.json") }
        #expect(!faulty.isWatched(folder.path(of: "a.json")))
        faulty.change { $0.addNamed = [:] }
        file.expectChange("chmod") { #expect(chmod(folder.path(of: "a.json"), 0o644) == 0) }
        #expect(faulty.isWatched(folder.path(of: "a.json")))
        #expect(file.isLive)
    }

    @Test("A path through an unreadable directory is live while the next directory is watched")
    func unreadableDirectory() throws {
        try folder.createFolder("x/y")
        try folder.write("x/y/a.json", "{}")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/y/a.json")
        #expect(file.isLive)
        try file.expectChange("an edit") { try folder.append("x/y/a.json", " ") }
        try file.expectChange("moving away") { try folder.rename("x/y", to: "x/z") }
        // No event reports a new directory in one that is not readable.
        eventually("the file is polled") { file.reason == .unreadableDirectory }
        try folder.createFolder("x/y")
        eventually("polling finds the directory") { file.isLive }
        try file.expectChange("a creation") { try folder.write("x/y/a.json", "{}") }
    }

    @Test("A file in an unreadable directory is watched as long as it exists")
    func fileInUnreadableFolder() throws {
        try folder.createFolder("x")
        try folder.write("x/a.json", "{}")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/a.json")
        #expect(file.isLive)
        try folder.write("x/tmp", "{}")
        try file.expectChange("a rename") { try folder.rename("x/tmp", to: "x/a.json") }
        #expect(file.isLive && faulty.isWatched(folder.path(of: "x/a.json")))
        try file.expectChange("a deletion") { try folder.remove("x/a.json") }
        eventually("the file is polled") { file.reason == .unreadableDirectory }
    }

    @Test("A mount in an unreadable directory, which inotify does not report, is detected")
    func mountInUnreadableFolder() throws {
        try folder.createFolder("x/y")
        try folder.write("x/y/a.json", "{}")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/y/a.json")
        #expect(file.isLive)
        let (mounted, other) = (folder.path(of: "x/y"), folder.path(of: "x/z"))
        let touched = faulty.inspect { backend in
            [mounted, other].map { path in
                var batch = EventBatch()
                backend.mountsChanged(at: [Array(path.utf8)], backend.mounts, in: &batch)
                return batch.changes.count
            }
        }
        #expect(touched == [1, 0])
        file.watch.cancel()
        file.settle()
        #expect(faulty.inspect { $0.table.pathCount } == 0)
    }

    @Test("A link in an unreadable directory is polled")
    func linkInUnreadableFolder() throws {
        try folder.createFolder("x")
        try folder.link("x/l", to: "../a.json")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/l")
        #expect(file.reason == .unreadableDirectory)
        try file.expectChange("an edit") { try folder.append("a.json", " ") }
    }

    @Test("A watch in an unreadable directory begins with polling, and becomes live")
    func unreadableAtBeginning() throws {
        try folder.createFolder("x")
        faulty.change { $0.addNamed["x"] = EACCES }
        let file = try watch("x/a.json")
        #expect(file.signals.first == .status(.polling(.unreadableDirectory(folder.path(of: "x")))))
        #expect(file.reason == .unreadableDirectory)
        faulty.change { $0.addNamed = [:] }
        eventually("the file is live") { file.isLive }
        try file.expectChange("a creation") { try folder.write("x/a.json", "{}") }
    }

    @Test(
        "A file that is replaced between its lookup and its watch is still watched",
        arguments: [false, true])
    func replacedMeanwhile(hasNoList: Bool) throws {
        let (new, old) = (folder.path(of: "new"), folder.path(of: "a.json"))
        try folder.write("new", "{}")
        let hidden = folder.path(of: "hidden")
        faulty.change { faults in
            faults.hasNoList = hasNoList
            faults.beforeAdding = ("a.json", { _ = link(old, hidden) + rename(new, old) })
        }
        // The watch is on the new file but recorded for the old one, which still exists under another name.
        let file = try watch()
        eventually("the watch is recorded for the right inode") { faulty.isWatched(old) && !faulty.isWatched(hidden) }
        for _ in 0..<3 { try file.expectChange("an append") { try folder.append("a.json", " ") } }
        #expect(file.isLive)
        #expect(faulty.service.statistics.restarts == (hasNoList ? 1 : 0))
    }

    @Test("An inode that the kernel claims to watch but does not list is retried before a restart")
    func existsWithoutListing() throws {
        faulty.change { $0.addOnce = ["a.json": EEXIST] }
        let file = try watch()
        #expect(file.isLive && faulty.isWatched(folder.path(of: "a.json")))
        #expect(faulty.service.statistics.restarts == 0)
    }

    @Test("A directory removed between its lookup and its watch is watched after it was created again")
    func vanishedMeanwhile() throws {
        try folder.createFolder("x")
        let path = folder.path(of: "x")
        faulty.change { $0.beforeAdding = ("x", { rmdir(path) }) }
        let file = try watch("x/a.json")
        #expect(file.isLive)
        try file.expectChange("the creation of the directory") { try folder.createFolder("x") }
        try file.expectChange("a creation") { try folder.write("x/a.json", "{}") }
    }

    @Test("A restart loses no watch")
    func restarts() throws {
        let files = try (0..<20).map { try watch("\($0)") }
        for round in 1...5 {
            faulty.change { $0.hasTooManyStaleRecords = true }
            let changeCount = files.map(\.changeCount)
            try folder.append("a.json", " ")
            try folder.write("0", "")
            eventually("a start") { faulty.starts == round + 1 }
            for (file, before) in zip(files, changeCount) { eventually("a change") { file.changeCount > before } }
        }
        for (number, file) in files.enumerated() {
            try file.expectChange("an edit") { try folder.append("\(number)", " ") }
        }
    }
}
