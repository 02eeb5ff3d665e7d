import FileScripts
import FileWatching
import Locking

/// Watches each file of a list, and prints a line per call of a handler: the index of the file in the list, the first
/// number in the file, and the time of the call in nanoseconds of CLOCK_MONOTONIC, which is taken before the file is
/// read.
///
/// Prints `begin` when it watches the first file, and waits for a line. Prints `armed` when it watches all files, with
/// the time that the others took in nanoseconds, and the resident and the allocated memory that they added in bytes.
/// Then the command `statistics` prints the library's count of kernel watches, and `cancel` ends all watches.
enum EditsProbe {
    static func run(_ mode: WatchMode, _ paths: [String]) throws {
        let watcher = Watcher(mode)
        var all: [FileWatch?] = []
        all.reserveCapacity(paths.count)
        all.append(try watch(paths[0], 0, watcher))
        say("begin")
        waitForLine()
        let before = MemoryUsage.now
        let begin = Instant.now.nanoseconds
        for (index, path) in paths.enumerated().dropFirst() { all.append(try watch(path, index, watcher)) }
        let end = Instant.now.nanoseconds
        let after = MemoryUsage.now
        MemoryUsage.stopCounting()
        say("armed \(end - begin) \(after.resident - before.resident) \(after.allocated - before.allocated)")
        while let line = readLine() {
            switch line {
            case "statistics": say("statistics \(watcher.statistics.kernelWatches)")
            case "cancel":
                for watch in all { watch?.cancel() }
                say("cancelled")
            default: fail("unknown command: \(line)")
            }
        }
        withExtendedLifetime(all) {}
    }

    private static func watch(_ path: String, _ index: Int, _ watcher: Watcher) throws -> FileWatch? {
        try watcher.watch(path) {
            let time = Instant.now.nanoseconds
            say("\(index) \(FirstNumber.read(path) ?? -1) \(time)")
        }
    }
}
