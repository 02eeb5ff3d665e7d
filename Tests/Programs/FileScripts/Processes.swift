import DurableFiles
package import Glibc

/// fork(2), which Swift's Glibc does not export because little is allowed in the child; the tests take care of that.
package let fork: @convention(c) () -> pid_t = {
    unsafeBitCast(dlsym(nil, "fork")!, to: (@convention(c) () -> pid_t).self)
}()

/// Forks once all other threads of the process sleep. A running thread may hold a lock of the Swift runtime, for
/// example during the first use of a type, and in the child nobody would release it.
package func forkAtRest() -> pid_t {
    // The calling thread is running.
    while countThreadsAwake() > 1 { usleep(100) }
    return fork()
}

private func countThreadsAwake() -> Int {
    guard let folder = opendir("/proc/self/task") else { fail("there is no /proc") }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
        if Int(name) != nil, isAwake("/proc/self/task/\(name)/stat") { count += 1 }
    }
    return count
}

/// Parses the state from `NUMBER (NAME) STATE …`. A thread that has ended does not run.
private func isAwake(_ thread: String) -> Bool {
    guard let line = try? DurableFile(thread).read(limit: 4_096).bytes else { return false }
    let state = line.lastIndex(of: UInt8(ascii: ")")).flatMap { line[$0...].dropFirst(2).first }
    return state != UInt8(ascii: "S")
}

/// Writes a line without buffering, unlike `print`.
package func say(_ line: String) { write("\(line)\n", to: 1) }

package func fail(_ message: String) -> Never {
    write("\(message)\n", to: 2)
    exit(64)
}

private func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 { exit(1) }
        rest = rest.dropFirst(count)
    }
}

/// Waits for a line from the test.
package func waitForLine() { _ = readLine() }

/// Lease breaks listed in /proc/locks.
package enum LeaseBreaks {
    /// Returns whether a process waits to open the file with that inode number.
    package static func isPending(for inode: UInt64) throws -> Bool {
        let locks = try DurableFile("/proc/locks").read(limit: 1 << 20).bytes
        return String(decoding: locks, as: UTF8.self).split(separator: "\n").contains {
            $0.contains("BREAKING") && $0.contains(":\(inode) ")
        }
    }
}
