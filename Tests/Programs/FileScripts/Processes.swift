import DurableFiles
package import Glibc

/// fork(2), which Swift's Glibc does not export because little is allowed in the child; the tests take care of that.
package let fork: @convention(c) () -> pid_t = {
    unsafeBitCast(dlsym(nil, "fork")!, to: (@convention(c) () -> pid_t).self)
}()

/// Forks while all other threads of the process sleep. A running thread may hold a lock of the Swift runtime, for
/// example during the first use of a type, and in the child nobody would release it.
package func forkAtRest() -> pid_t {
    var attempts = 0
    while true {
        guard let before = sleepingThreads() else {
            usleep(100)
            continue
        }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { fail("pipe: \(errno)") }
        let child = fork()
        var isClean: UInt8 = 1
        if child == 0 {
            close(ends[1])
            // Nothing else is safe until the parent has looked.
            if read(ends[0], &isClean, 1) != 1 { _exit(0) }
            close(ends[0])
            return 0
        }
        close(ends[0])
        // Otherwise a thread ran, which may have been during the fork. A sanitizer may have a thread that never rests.
        attempts += 1
        let isAtRest = sleepingThreads() == before || attempts == 100
        if isAtRest { _ = Glibc.write(ends[1], &isClean, 1) }
        close(ends[1])
        if isAtRest { return child }
        waitpid(child, nil, 0)
    }
}

/// How often each of the other threads has gone to sleep; nil if one is awake.
private func sleepingThreads() -> [String: String]? {
    guard let folder = opendir("/proc/self/task") else { fail("there is no /proc") }
    defer { closedir(folder) }
    var sleeps: [String: String] = [:]
    // PROCESS/task/THREAD
    var link = [CChar](repeating: 0, count: 64)
    guard readlink("/proc/thread-self", &link, link.count - 1) > 0 else { fail("readlink: \(errno)") }
    let path = String(decoding: link.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
        if Int32(name) == nil || path.hasSuffix("/\(name)") { continue }
        // A thread that has ended does not run.
        guard let bytes = try? DurableFile("/proc/self/task/\(name)/status").read(limit: 8_192).bytes else { continue }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        func value(_ key: String) -> Substring? { lines.first { $0.hasPrefix(key) }?.dropFirst(key.count) }
        guard value("State:\t")?.first == "S" else { return nil }
        sleeps[name] = value("voluntary_ctxt_switches:\t").map(String.init)
    }
    return sleeps
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
