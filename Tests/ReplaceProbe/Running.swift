import Glibc

func fail(_ message: String) -> Never {
    let line = Array("ReplaceProbe: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(2)
}

/// A line for the test, at once.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

/// Which keys are written, one after the other.
struct Keys {
    let first: Int
    /// 0 is for ever.
    let count: Int

    func run(_ body: (Int) throws -> Void) rethrows {
        var index = first
        while (count == 0 || index < first + count) && !Log.isOver {
            try body(index)
            index += 1
        }
    }
}

/// What has been written for sure, for whoever counts afterwards.
struct Log {
    private let path: String

    init(_ path: String) { self.path = path }

    func add(_ key: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { fail("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let line = Array("\(key)\n".utf8)
        guard write(descriptor, line, line.count) == line.count else { fail(path) }
    }

    /// Whether whoever counts has had enough: SIGTERM came.
    static var isOver: Bool { isOverNow.pointee != 0 }

    nonisolated(unsafe) private static let isOverNow = {
        // Written by a signal handler, which can do nothing else.
        let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        flag.initialize(to: 0)
        return flag
    }()

    static func listen() {
        _ = isOverNow
        signal(SIGTERM) { _ in Log.isOverNow.pointee = 1 }
    }
}

/// A number that the environment gives, for what a test may want to vary.
func setting(_ name: String, or standard: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? standard
}

/// Between nothing and so many microseconds.
func pause(upTo microseconds: Int) {
    if microseconds > 0 { usleep(useconds_t.random(in: 0...useconds_t(microseconds))) }
}
