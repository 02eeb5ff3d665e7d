import DurableFiles
import FileScripts
import Foundation
import Glibc

/// A process whose signals and children a replacement must not affect.
struct HostProcess {
    let path: String

    /// Has a thread open the file just after the lease is taken and before its signals are directed to no process, and
    /// once later. Prints the number of signals received, which should be 0.
    func countSignals() throws {
        for number in [SIGIO, SIGURG] { signal(number) { HostProcess.count($0) } }
        let calls = ScriptedCalls()
        calls.pausesForReal = true
        calls.before = { call, number in
            // The first two calls belong to the lease on the found version.
            if call == .setSignalReceiver, number == 2 { openElsewhere() }
            if call == .exchange, number == 1 { openElsewhere() }
        }
        try DurableFile(path).replace(limit: 1_000, options: .durable, through: calls) { found in
            Array("replaced".utf8)
        }
        var pending = sigset_t()
        sigpending(&pending)
        let isPending = sigismember(&pending, SIGURG) == 1 || sigismember(&pending, SIGIO) == 1
        say("\(HostProcess.signals.pointee) signals, \(isPending ? "some" : "none") pending")
    }

    nonisolated(unsafe) private static let signals = {
        // Written by a signal handler, which cannot take a lock.
        let count = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        count.initialize(to: 0)
        return count
    }()

    private static func count(_ signal: Int32) { signals.pointee += 1 }

    /// Starts a thread that opens the file for writing, which the lease blocks, and closes it.
    private func openElsewhere() {
        let path = path
        Thread.detachNewThread { close(open(path, O_RDWR | O_CLOEXEC)) }
        while !isLeaseBreakPending() { usleep(100) }
    }

    private func isLeaseBreakPending() -> Bool {
        guard let inode = try? DurableFile(path).identity().inode else { return false }
        return (try? LeaseBreaks.isPending(for: inode)) == true
    }

    /// Forks a child that runs no other program. The child prints how many files of the directory it has open; after
    /// that the parent continues or is killed.
    func fork(isKilled: Bool) throws {
        let calls = ScriptedCalls()
        calls.before = { call, number in
            guard call == .exchange, number == 1 else { return }
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { fail("pipe") }
            if FileScripts.fork() == 0 {
                say("the child holds \(countOpenFiles())")
                close(ends[1])
                while true { pause() }
            }
            close(ends[1])
            var byte: UInt8 = 0
            while read(ends[0], &byte, 1) < 0 {}
            if isKilled { kill(getpid(), SIGKILL) }
        }
        try DurableFile(path).replace(limit: 1_000, options: .durable, through: calls) { _ in Array("replaced".utf8) }
        say("replaced")
        // The test ends both processes.
        while true { pause() }
    }

    private func countOpenFiles() -> Int {
        let folder = String(path[..<path.lastIndex(of: "/")!])
        return (0..<256).count { number in
            var target = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/fd/\(number)", &target, target.count)
            return count > 0 && String(decoding: target.prefix(count).map(UInt8.init), as: UTF8.self).hasPrefix(folder)
        }
    }
}
