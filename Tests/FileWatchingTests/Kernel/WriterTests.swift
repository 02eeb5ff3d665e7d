import Glibc
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// Ways to write the file.
    @Suite struct WriterTests {
        let folder: TemporaryFolder
        let file: WatchedFile

        init() throws {
            folder = try TemporaryFolder()
            try folder.write("a.json", "{}")
            file = try WatchedFile(folder.path(of: "a.json"))
            #expect(file.isLive)
        }

        /// Checks that the next plain edits are reported.
        private func expectPlainEdits(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
            try file.expectChange("an append", sourceLocation: sourceLocation) { try folder.append("a.json", " ") }
            try file.expectChange("a write", sourceLocation: sourceLocation) { try folder.write("a.json", "{ }") }
            #expect(file.isLive, sourceLocation: sourceLocation)
        }

        @Test("Repeated writes in place are reported")
        func inPlace() throws { for _ in 0..<20 { try expectPlainEdits() } }

        @Test("Repeated renames over the file are reported")
        func renamedOver() throws {
            // Files of other tests can make the service watch everything again.
            let before = WatchService.shared.statistics.restarts
            for number in 1...20 {
                try folder.write("b.json", "{}")
                try file.expectChange("a rename") { try folder.rename("b.json", to: "a.json") }
                let restarts = WatchService.shared.statistics.restarts - before
                #expect(file.watch.metrics.rearms == number + restarts)
                try expectPlainEdits()
            }
        }

        @Test("Repeated deletion and creation is reported")
        func deleted() throws {
            for _ in 0..<20 {
                try file.expectChange("a deletion") { try folder.remove("a.json") }
                try file.expectChange("a creation") { try folder.write("a.json", "{}") }
                try expectPlainEdits()
            }
        }

        @Test("Renaming the file to a backup and creating it again is reported")
        func backup() throws {
            for _ in 0..<3 {
                try file.expectChange("the move to a backup") { try folder.rename("a.json", to: "a.json~") }
                try file.expectChange("the new file") { try folder.write("a.json", "{}") }
                try expectPlainEdits()
            }
            // The backup still exists but is not watched.
            eventually("the backup is not watched") { file.watchesOf("\(folder.path)/a.json~") == 0 }
            try file.expectSilence("a write to the backup") { try folder.append("a.json~", " ") }
        }

        @Test("Writes are reported before the writer closes the file")
        func neverCloses() throws {
            let descriptor = open(folder.path(of: "a.json"), O_WRONLY | O_CLOEXEC)
            defer { close(descriptor) }
            for _ in 0..<3 { file.expectChange("a write") { #expect(write(descriptor, "{", 1) == 1) } }
        }

        @Test("Truncation, chmod and touch are reported")
        func attributes() throws {
            let path = folder.path(of: "a.json")
            file.expectChange("truncating") { #expect(truncate(path, 1) == 0) }
            file.expectChange("chmod") { #expect(chmod(path, 0o640) == 0) }
            file.expectChange("touch") { #expect(utimes(path, nil) == 0) }
            try expectPlainEdits()
        }

        @Test("Linking a file into place is reported")
        func linked() throws {
            try file.expectChange("a deletion") { try folder.remove("a.json") }
            try folder.write("other", "{}")
            file.expectChange("a link") { #expect(link(folder.path(of: "other"), folder.path(of: "a.json")) == 0) }
            try expectPlainEdits()
        }

        @Test("A write through a hard link in another directory is reported")
        func hardLink() throws {
            try folder.createFolder("elsewhere")
            #expect(link(folder.path(of: "a.json"), folder.path(of: "elsewhere/b.json")) == 0)
            try file.expectChange("a write through the hard link") { try folder.append("elsewhere/b.json", " ") }
        }

        @Test("Replacing the file by a directory or a FIFO is reported")
        func notAFile() throws {
            try file.expectChange("a deletion") { try folder.remove("a.json") }
            try file.expectChange("a directory") { try folder.createFolder("a.json") }
            try file.expectSilence("a file in that directory") { try folder.write("a.json/x", "") }
            try file.expectChange("its removal") { try folder.remove("a.json") }
            file.expectChange("a FIFO") { #expect(mkfifo(folder.path(of: "a.json"), 0o600) == 0) }
            try file.expectChange("its removal") { try folder.remove("a.json") }
            try file.expectChange("a file") { try folder.write("a.json", "{}") }
            try expectPlainEdits()
        }

        @Test("Changes of other files in the directory cause no report")
        func neighbors() throws {
            try folder.write("log", "")
            try file.expectSilence("changes of other files") {
                try folder.append("log", "line")
                try folder.write("a.json.tmp", "")
                try folder.rename("a.json.tmp", to: "A.json")
                try folder.remove("A.json")
            }
        }
    }
}

extension WatchedFile {
    /// The number of kernel watches of the inode at `path`.
    func watchesOf(_ path: String) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        let inode = Inode(status)
        return WatchService.shared.perform { loop in
            loop.backend.table.node(of: inode) == nil ? 0 : 1
        }
    }
}
