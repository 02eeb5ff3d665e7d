import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    @Suite struct TortureTests {
        @Test("The last edit is reported while thousands of watches are created and cancelled")
        func createdAndCancelled() throws {
            let folder = try TemporaryFolder()
            let names = (0..<8).map { "f\($0)" }
            for name in names { try folder.write(name, "{}") }
            let staying = try names.map { try WatchedFile(folder.path(of: $0)) }
            let total = Lock(0)
            onThreads(4) { thread in
                var generator = SeededGenerator(UInt64(thread + 1))
                var watches: [FileWatch] = []
                for round in 0..<400 {
                    let name = names.randomElement(using: &generator)!
                    if thread < 2 {
                        disturb(name, in: folder, round, thread)
                    } else {
                        let watch = try? FileWatch(folder.path(of: name)) { _ in total.withLock { $0 += 1 } }
                        if let watch { watches.append(watch) }
                        if watches.count > 20 { watches.removeSubrange(0..<Int.random(in: 1...20, using: &generator)) }
                    }
                }
            }
            for (name, file) in zip(names, staying) {
                try file.expectChange("the last edit of \(name)") { try folder.write(name, "end") }
                #expect(file.isLive)
            }
            let calls = total.withLock { $0 }
            #expect(calls > 0)
            // Other tests use the service as well.
            let path = folder.path
            let left = WatchService.shared.perform { $0.registrations.values.count { $0.path.hasPrefix(path) } }
            withExtendedLifetime(staying) { #expect(left == names.count) }
        }
    }
}

/// Changes a file in one of several ways.
private func disturb(_ name: String, in folder: TemporaryFolder, _ round: Int, _ thread: Int) {
    switch round % 4 {
    case 0: try? folder.append(name, " ")
    case 1:
        try? folder.write("tmp\(thread)", "{}")
        try? folder.rename("tmp\(thread)", to: name)
    case 2: unlink(folder.path(of: name))
    default: try? folder.write(name, "{}")
    }
}
