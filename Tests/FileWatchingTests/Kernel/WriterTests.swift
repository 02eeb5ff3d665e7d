import Glibc
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// Ways to write the file itself.
    @Suite struct WriterTests {
        let folder: TemporaryFolder
        let file: WatchedFile

        init() throws {
            folder = try TemporaryFolder()
            try folder.write("a.json", "{}")
            file = try WatchedFile(folder.path(of: "a.json"))
            #expect(file.isLive)
        }

        /// Whatever came before, the next plain edits are noticed.
        private func expectPlainEdits(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
            try file.expectLook("an append", sourceLocation: sourceLocation) { try folder.append("a.json", " ") }
            try file.expectLook("a write", sourceLocation: sourceLocation) { try folder.write("a.json", "{ }") }
            #expect(file.isLive, sourceLocation: sourceLocation)
        }

        @Test("written in place, again and again")
        func inPlace() throws { for _ in 0..<20 { try expectPlainEdits() } }

        @Test("replaced by renaming another over it, again and again")
        func renamedOver() throws {
            for number in 1...20 {
                try folder.write("b.json", "{}")
                try file.expectLook("a rename") { try folder.rename("b.json", to: "a.json") }
                #expect(file.watch.metrics.rearms == number)
                try expectPlainEdits()
            }
        }

        @Test("deleted and created, again and again")
        func deleted() throws {
            for _ in 0..<20 {
                try file.expectLook("a deletion") { try folder.remove("a.json") }
                try file.expectLook("a creation") { try folder.write("a.json", "{}") }
                try expectPlainEdits()
            }
        }

        @Test("moved away to be a backup, and written anew, as vim and emacs do")
        func backup() throws {
            for _ in 0..<3 {
                try file.expectLook("the move to a backup") { try folder.rename("a.json", to: "a.json~") }
                try file.expectLook("the new file") { try folder.write("a.json", "{}") }
                try expectPlainEdits()
            }
            // The backup lives on, but is nobody's.
            eventually("the backup is not watched") { file.watchesOf("\(folder.path)/a.json~") == 0 }
            try file.expectSilence("a write to the backup") { try folder.append("a.json~", " ") }
        }

        @Test("a writer that keeps the file open is noticed before it closes")
        func neverCloses() throws {
            let descriptor = open(folder.path(of: "a.json"), O_WRONLY | O_CLOEXEC)
            defer { close(descriptor) }
            for _ in 0..<3 { file.expectLook("a write") { #expect(write(descriptor, "{", 1) == 1) } }
        }

        @Test("truncated, given other permissions, touched")
        func attributes() throws {
            let path = folder.path(of: "a.json")
            file.expectLook("truncating") { #expect(truncate(path, 1) == 0) }
            file.expectLook("chmod") { #expect(chmod(path, 0o640) == 0) }
            file.expectLook("touch") { #expect(utimes(path, nil) == 0) }
            try expectPlainEdits()
        }

        @Test("linked into place from a file without a name")
        func linked() throws {
            try file.expectLook("a deletion") { try folder.remove("a.json") }
            try folder.write("other", "{}")
            file.expectLook("a link") { #expect(link(folder.path(of: "other"), folder.path(of: "a.json")) == 0) }
            try expectPlainEdits()
        }

        @Test("a hard link in another folder is written to")
        func hardLink() throws {
            try folder.createFolder("elsewhere")
            #expect(link(folder.path(of: "a.json"), folder.path(of: "elsewhere/b.json")) == 0)
            try file.expectLook("a write by the other name") { try folder.append("elsewhere/b.json", " ") }
        }

        @Test("a directory, and a FIFO that nobody writes to, take its place for a while")
        func notAFile() throws {
            try file.expectLook("a deletion") { try folder.remove("a.json") }
            try file.expectLook("a directory") { try folder.createFolder("a.json") }
            try file.expectSilence("a file in that directory") { try folder.write("a.json/x", "") }
            try file.expectLook("its end") { try folder.remove("a.json") }
            file.expectLook("a FIFO") { #expect(mkfifo(folder.path(of: "a.json"), 0o600) == 0) }
            try file.expectLook("its end") { try folder.remove("a.json") }
            try file.expectLook("a file") { try folder.write("a.json", "{}") }
            try expectPlainEdits()
        }

        @Test("what is written, created and deleted beside it wakes nobody")
        func neighbours() throws {
            try folder.write("log", "")
            try file.expectSilence("a life beside it") {
                try folder.append("log", "line")
                try folder.write("a.json.tmp", "")
                try folder.rename("a.json.tmp", to: "A.json")
                try folder.remove("A.json")
            }
        }
    }
}

extension WatchedFile {
    /// How many kernel watches the hub has on what is at `path`.
    func watchesOf(_ path: String) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        let inode = Inode(status)
        return Hub.shared.ask { loop in
            (loop.backend as? InotifyBackend<SystemInotify>)?.table.node(of: inode) == nil ? 0 : 1
        }
    }
}
