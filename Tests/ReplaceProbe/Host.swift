import DurableFiles
import FileScripts
import Foundation
import Glibc

/// A process that has other things to do than to replace files, and must not be disturbed in them.
struct Host {
    let path: String

    /// Lets somebody open the file in the very moment between the taking of the lease and the word that its signals go
    /// to nobody, and once later. Prints how many signals the process was given, which is to be none.
    func countSignals() throws {
        for number in [SIGIO, SIGURG] { signal(number) { Host.count($0) } }
        let calls = ScriptedCalls()
        calls.pausesForReal = true
        calls.before = { call, number in
            // The first two are those of the lease on what was found.
            if call == .sendSignals, number == 2 { openElsewhere() }
            if call == .exchange, number == 1 { openElsewhere() }
        }
        try DurableFile(path).replace(limit: 1_000, options: .durable, through: calls) { found in
            Array("replaced".utf8)
        }
        var pending = sigset_t()
        sigpending(&pending)
        let isPending = sigismember(&pending, SIGURG) == 1 || sigismember(&pending, SIGIO) == 1
        say("\(Host.signals.pointee) signals, \(isPending ? "some" : "none") pending")
    }

    nonisolated(unsafe) private static let signals = {
        // Written by a signal handler, which can do nothing else.
        let count = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        count.initialize(to: 0)
        return count
    }()

    private static func count(_ signal: Int32) { signals.pointee += 1 }

    /// A thread that opens the file to write, which the lease makes wait, and closes it.
    private func openElsewhere() {
        let path = path
        Thread.detachNewThread { close(open(path, O_RDWR | O_CLOEXEC)) }
        while !isWaitedFor() { usleep(100) }
    }

    private func isWaitedFor() -> Bool {
        guard let inode = try? DurableFile(path).identity().inode else { return false }
        return (try? Opener.waits(for: inode)) == true
    }

    /// The child lives on as it was born, running no other program. It says what it holds of the folder, and then the
    /// parent goes on, or dies.
    func fork(diesMeanwhile: Bool) throws {
        let calls = ScriptedCalls()
        calls.before = { call, number in
            guard call == .exchange, number == 1 else { return }
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { fail("pipe") }
            if FileScripts.fork() == 0 {
                say("the child holds \(openInFolder())")
                close(ends[1])
                while true { pause() }
            }
            close(ends[1])
            var byte: UInt8 = 0
            while read(ends[0], &byte, 1) < 0 {}
            if diesMeanwhile { kill(getpid(), SIGKILL) }
        }
        try DurableFile(path).replace(limit: 1_000, options: .durable, through: calls) { _ in Array("replaced".utf8) }
        say("replaced")
        // The test looks, and ends both.
        while true { pause() }
    }

    private func openInFolder() -> Int {
        let folder = String(path[..<path.lastIndex(of: "/")!])
        return (0..<256).count { number in
            var target = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/fd/\(number)", &target, target.count)
            return count > 0 && String(decoding: target.prefix(count).map(UInt8.init), as: UTF8.self).hasPrefix(folder)
        }
    }
}
