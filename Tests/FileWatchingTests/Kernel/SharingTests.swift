import Glibc
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// Resources that watches share, and their release.
    @Suite struct SharingTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        @Test("A thousand files share their directory's kernel watch, and all kernel watches end with them")
        func oneFolder() async {
            await #expect(processExitsWith: .success) { try SharingTests.alone(SharingTests.watchOneFolder) }
        }

        @Test("A file is watched once under all of its names")
        func oneInode() async {
            await #expect(processExitsWith: .success) { try SharingTests.alone(SharingTests.watchOneInode) }
        }

        @Test("Cancelling one watch of a file does not affect the others")
        func partners() throws {
            try folder.write("a", "{}")
            let staying = try WatchedFile(folder.path(of: "a"))
            for _ in 0..<20 {
                let going = try WatchedFile(folder.path(of: "a"))
                try going.expectChange("a write") { try folder.append("a", " ") }
                going.watch.cancel()
                try staying.expectChange("a write") { try folder.append("a", " ") }
            }
        }

        #if InotifyTools
        @Test("Stale records of libinotifytools are dropped when there are too many, and no change is missed")
        func compaction() throws {
            try folder.write("a", "{}")
            let files = try ["a", "b", "c/d"].map { try WatchedFile(folder.path(of: $0)) }
            setLimit(5)
            defer { setLimit(LibraryRecords().limit) }
            let before = WatchService.shared.statistics.restarts
            for _ in 0..<60 {
                try folder.write("tmp", "{}")
                try files[0].expectChange("a rename") { try folder.rename("tmp", to: "a") }
            }
            eventually("more than three restarts") { WatchService.shared.statistics.restarts > before + 3 }
            let statistics = WatchService.shared.statistics  // other tests use the service as well
            #expect(statistics.staleRecords <= max(5, statistics.kernelWatches) + 1)
            try files[0].expectChange("an append") { try folder.append("a", " ") }
            try files[1].expectChange("a creation") { try folder.write("b", "") }
            try files[2].expectChange("the creation of a directory") { try folder.createFolder("c") }
            try files[2].expectChange("a creation") { try folder.write("c/d", "") }
            for file in files { #expect(file.isLive) }
        }

        private func setLimit(_ limit: Int) {
            SharedInotifyTools.change { $0.records.limit = limit }
        }
        #endif

        @Test("When the kernel drops events, changes of all files are reported and all are armed again")
        func overflow() throws {
            let files = try ["a", "b", "x/c"].map { try WatchedFile(folder.path(of: $0)) }
            let path = folder.path
            let before = WatchService.shared.statistics.overflows
            // While its thread is busy here, the service collects no events.
            WatchService.shared.perform { _ in
                close(open("\(path)/0", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
                for number in 0..<10_000 { rename("\(path)/\(number)", "\(path)/\(number + 1)") }
                mkdir("\(path)/x", 0o700)
            }
            eventually("the overflow") { WatchService.shared.statistics.overflows > before }
            for file in files {
                eventually("a change") { file.changeCount > 0 }
                #expect(file.watch.metrics.overflows > 0)
            }
            try files[0].expectChange("a creation") { try folder.write("a", "") }
            try files[2].expectChange("a creation") { try folder.write("x/c", "") }
        }

        @Test("At rest the watching thread has no timeout")
        func rest() throws {
            try folder.write("a", "{}")
            let file = try WatchedFile(folder.path(of: "a"))
            for _ in 0..<5 {
                try folder.write("tmp", "{}")
                try file.expectChange("a rename") { try folder.rename("tmp", to: "a") }
            }
            eventually("the watching thread has no timeout") { WatchService.shared.perform { $0.timeout == -1 } }
        }
    }
}

/// Tests that count all watches of a process run in a separate one, because other tests watch files in this one.
extension KernelTests.SharingTests {
    /// Runs `body` and checks that no watch remains.
    private static func alone(_ body: (TemporaryFolder) throws -> Void) throws {
        try body(try TemporaryFolder())
        #expect(kernelWatches() == 0)
    }

    /// Returns the number of kernel watches after all deferred removals.
    private static func kernelWatches() -> Int {
        eventually("no removal is deferred") { WatchService.shared.perform { $0.backend.deadline == nil } }
        // The statistics are published after the commands of a round.
        return WatchService.shared.perform { $0.backend.kernelWatches }
    }

    private static func watchOneFolder(in folder: TemporaryFolder) throws {
        let other = try WatchedFile(folder.path(of: "other"))
        try folder.createFolder("x")
        let before = kernelWatches()
        for number in 0..<1000 { try folder.write("x/\(number)", "{}") }
        var files = try (0..<1000).map { try WatchedFile(folder.path(of: "x/\($0)")) }
        #expect(kernelWatches() == before + 1001)
        for number in [0, 500, 999] {
            try files[number].expectChange("a write") { try folder.append("x/\(number)", " ") }
            #expect(
                files.reduce(0) { $0 + $1.changeCount } == files[number].changeCount,
                "only a change of that file is reported")
            files[number] = try WatchedFile(folder.path(of: "x/\(number)"))
        }
        try folder.rename("x", to: "y")
        eventually("a change of every file is reported") { files.allSatisfy { $0.changeCount == 1 } }
        files = []
        #expect(kernelWatches() == before)
        try other.expectChange("a creation") { try folder.write("other", "") }
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
        try first.expectChange("a write") { try folder.append("b", " ") }
        for other in others { eventually("every watch reports a change") { other.changeCount > 0 } }
    }
}
