import FileScripts
import Glibc

/// The indices of the keys to write.
struct KeyRange {
    let first: Int
    /// The number of keys; 0 means no limit.
    let count: Int

    func run(_ body: (Int) throws -> Void) rethrows {
        var index = first
        while (count == 0 || index < first + count) && !KeyLog.isTerminated {
            try body(index)
            index += 1
        }
    }
}

/// A log of the keys that are known to be in the file.
struct KeyLog {
    private let path: String

    init(_ path: String) { self.path = path }

    func add(_ key: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { fail("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let line = Array("\(key)\n".utf8)
        guard write(descriptor, line, line.count) == line.count else { fail(path) }
    }

    /// Adds a key to a second log beside this one, unless this one is discarded.
    func add(_ key: String, to name: String) {
        if path != "/dev/null" { KeyLog("\(path).\(name)").add(key) }
    }

    /// Whether SIGTERM has arrived.
    static var isTerminated: Bool { terminationFlag.pointee != 0 }

    nonisolated(unsafe) private static let terminationFlag = {
        // Written by a signal handler, which cannot take a lock.
        let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        flag.initialize(to: 0)
        return flag
    }()

    /// Installs the handler of SIGTERM.
    static func handleTermination() {
        _ = terminationFlag
        signal(SIGTERM) { _ in KeyLog.terminationFlag.pointee = 1 }
    }
}

/// Returns a number from the environment, for parameters that tests vary.
func setting(_ name: String, or standard: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? standard
}

/// Sleeps for a random time of at most the given length.
func pause(upTo microseconds: Int) {
    if microseconds > 0 { usleep(useconds_t.random(in: 0...useconds_t(microseconds))) }
}
