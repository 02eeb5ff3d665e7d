import DurableFiles
package import Glibc

/// Swift's Glibc refuses it, since little can be done in the child; here that is a test's business.
package let fork: @convention(c) () -> pid_t = {
    unsafeBitCast(dlsym(nil, "fork")!, to: (@convention(c) () -> pid_t).self)
}()

/// Forks as soon as every other thread of the process sleeps. One that is awake may hold a lock of Swift's runtime, which
/// takes some when a type is used for the first time; in the child nobody would ever give it back.
package func forkAtRest() -> pid_t {
    // This one is awake.
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

/// The kernel tells of a thread in a line: `NUMBER (NAME) STATE …`. One that has ended meanwhile is not awake.
private func isAwake(_ thread: String) -> Bool {
    guard let line = try? DurableFile(thread).read(limit: 4_096).bytes else { return false }
    let state = line.lastIndex(of: UInt8(ascii: ")")).flatMap { line[$0...].dropFirst(2).first }
    return state != UInt8(ascii: "S")
}
