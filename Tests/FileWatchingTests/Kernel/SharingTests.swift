import Glibc
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// What many watches have in common, and what is left of them.
    @Suite struct SharingTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        @Test("a thousand files of a folder share its watch, and all watches end with their files' watches")
        func oneFolder() async {
            await #expect(processExitsWith: .success) { try SharingTests.alone(SharingTests.watchOneFolder) }
        }

        @Test("the same file is watched once, by whatever names")
        func oneInode() async {
            await #expect(processExitsWith: .success) { try SharingTests.alone(SharingTests.watchOneInode) }
        }

        @Test("one of several watches of a file ends, and the others go on")
        func partners() throws {
            try folder.write("a", "{}")
            let staying = try WatchedFile(folder.path(of: "a"))
            for _ in 0..<20 {
                let going = try WatchedFile(folder.path(of: "a"))
                try going.expectLook("a write") { try folder.append("a", " ") }
                going.watch.cancel()
                try staying.expectLook("a write") { try folder.append("a", " ") }
            }
        }

        #if InotifyTools
        @Test("stale records are dropped once they are too many, and nobody misses anything")
        func compaction() throws {
            try folder.write("a", "{}")
            let files = try ["a", "b", "c/d"].map { try WatchedFile(folder.path(of: $0)) }
            setLimit(5)
            defer { setLimit(StaleRecords().limit) }
            let before = Hub.shared.statistics.restarts
            for _ in 0..<60 {
                try folder.write("tmp", "{}")
                try files[0].expectLook("a rename") { try folder.rename("tmp", to: "a") }
            }
            eventually("starting over") { Hub.shared.statistics.restarts > before + 3 }
            let statistics = Hub.shared.statistics  // others use the hub as well
            #expect(statistics.staleRecords <= max(5, statistics.kernelWatches) + 1)
            try files[0].expectLook("an append") { try folder.append("a", " ") }
            try files[1].expectLook("a creation") { try folder.write("b", "") }
            try files[2].expectLook("a folder") { try folder.createFolder("c") }
            try files[2].expectLook("a creation") { try folder.write("c/d", "") }
            for file in files { #expect(file.isLive) }
        }

        private func setLimit(_ limit: Int) {
            TheTools.change { $0.records.limit = limit }
        }
        #endif

        @Test("when the kernel has to drop events, everything is looked at and watched anew")
        func overflow() throws {
            let files = try ["a", "b", "x/c"].map { try WatchedFile(folder.path(of: $0)) }
            let path = folder.path
            let before = Hub.shared.statistics.overflows
            // While its thread is busy here, the hub takes no events.
            Hub.shared.ask { _ in
                close(open("\(path)/0", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
                for number in 0..<10_000 { rename("\(path)/\(number)", "\(path)/\(number + 1)") }
                mkdir("\(path)/x", 0o700)
            }
            eventually("an overflow") { Hub.shared.statistics.overflows > before }
            for file in files {
                eventually("a look") { file.looks > 0 }
                #expect(file.watch.metrics.overflows > 0)
            }
            try files[0].expectLook("a creation") { try folder.write("a", "") }
            try files[2].expectLook("a creation") { try folder.write("x/c", "") }
        }

        @Test("at rest the hub's thread sleeps until it is woken")
        func rest() throws {
            try folder.write("a", "{}")
            let file = try WatchedFile(folder.path(of: "a"))
            for _ in 0..<5 {
                try folder.write("tmp", "{}")
                try file.expectLook("a rename") { try folder.rename("tmp", to: "a") }
            }
            eventually("there is nothing to wait for") { Hub.shared.ask { $0.timeout == -1 } }
        }
    }
}

/// What counts the watches of the whole process runs in one of its own: in this one others watch as well.
extension KernelTests.SharingTests {
    /// Does it, and sees to it that nothing is left of it: then nobody holds anything when the process ends.
    private static func alone(_ body: (TemporaryFolder) throws -> Void) throws {
        try body(try TemporaryFolder())
        #expect(kernelWatches() == 0)
    }

    /// How many watches the kernel keeps now, when all that was put off is done.
    private static func kernelWatches() -> Int {
        eventually("nothing is put off") { Hub.shared.ask { $0.backend.deadline == nil } }
        return Hub.shared.statistics.kernelWatches
    }

    private static func watchOneFolder(in folder: TemporaryFolder) throws {
        let other = try WatchedFile(folder.path(of: "other"))
        try folder.createFolder("x")
        let before = kernelWatches()
        for number in 0..<1000 { try folder.write("x/\(number)", "{}") }
        var files = try (0..<1000).map { try WatchedFile(folder.path(of: "x/\($0)")) }
        #expect(kernelWatches() == before + 1001)
        for number in [0, 500, 999] {
            try files[number].expectLook("a write") { try folder.append("x/\(number)", " ") }
            #expect(files.reduce(0) { $0 + $1.looks } == files[number].looks, "only that file is looked at")
            files[number] = try WatchedFile(folder.path(of: "x/\(number)"))
        }
        try folder.rename("x", to: "y")
        eventually("every file is looked at") { files.allSatisfy { $0.looks == 1 } }
        files = []
        #expect(kernelWatches() == before)
        try other.expectLook("a creation") { try folder.write("other", "") }
    }

    private static func watchOneInode(in folder: TemporaryFolder) throws {
        try folder.write("a", "{}")
        try folder.createFolder("d")
        #expect(link(folder.path(of: "a"), folder.path(of: "b")) == 0)
        try folder.link("l", to: "d/../a")
        let first = try WatchedFile(folder.path(of: "a"))
        let before = kernelWatches()
        let others = try ["a", "b", "l", "./a", "d/../b"].map { try WatchedFile(folder.path(of: $0)) }
        #expect(kernelWatches() == before)
        try first.expectLook("a write") { try folder.append("b", " ") }
        for other in others { eventually("every watch tells") { other.looks > 0 } }
    }
}
