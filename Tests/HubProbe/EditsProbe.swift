import FileScripts
import FileWatching
import Glibc

/// Watches each file of a list, and tells of every call of a handler: the file's place in the list, the first number that
/// the file holds, read after the moment that comes last, and that moment, in nanoseconds of CLOCK_MONOTONIC.
///
/// Says `begin` when it watches the first file, and waits for a line. Says `armed` when it watches all, with the
/// nanoseconds that the others took and how much memory they added, in pages and by malloc, in bytes. Then `statistics` asks for the
/// kernel's watches as the library counts them, and `cancel` ends all watches.
enum EditsProbe {
    static func run(_ way: Way, _ paths: [String]) throws {
        let watcher = Watcher(way)
        var all: [FileWatch?] = []
        all.reserveCapacity(paths.count)
        all.append(try watch(paths[0], 0, watcher))
        say("begin")
        waitForLine()
        let before = Memory.now
        let begin = now()
        for (index, path) in paths.enumerated().dropFirst() { all.append(try watch(path, index, watcher)) }
        let end = now()
        let after = Memory.now
        Memory.stopCounting()
        say("armed \(end - begin) \(after.resident - before.resident) \(after.allocated - before.allocated)")
        while let line = readLine() {
            switch line {
            case "statistics": say("statistics \(watcher.statistics.kernelWatches)")
            case "cancel":
                for watch in all { watch?.cancel() }
                say("cancelled")
            default: fail("what is \(line)?")
            }
        }
        withExtendedLifetime(all) {}
    }

    private static func watch(_ path: String, _ index: Int, _ watcher: Watcher) throws -> FileWatch? {
        try watcher.watch(path) {
            let moment = now()
            say("\(index) \(FirstNumber.read(path) ?? -1) \(moment)")
        }
    }
}
