import Glibc
import ManualTiming

/// A way to replace the contents of a file.
enum EditMethod: String {
    /// Truncates and writes, as `>` does.
    case write = "write+close"
    /// Writes without truncating: the write is the first observable step.
    case overwrite = "write+close in place"
    /// Writes a new file and renames it over the old one, as most editors do.
    case rename

    /// Replaces the contents, and returns the time just before the last system call that others can observe.
    func replace(_ path: String, with bytes: [UInt8]) -> Int {
        switch self {
        case .write: return EditMethod.write(bytes, to: path, O_TRUNC)
        case .overwrite: return EditMethod.write(bytes, to: path)
        case .rename:
            _ = EditMethod.write(bytes, to: "\(path).new", O_TRUNC)
            let moment = now()
            _ = check("rename", Glibc.rename("\(path).new", path))
            return moment
        }
    }

    private static func write(_ bytes: [UInt8], to path: String, _ flags: Int32 = 0) -> Int {
        let descriptor = check("open \(path)", open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600))
        let moment = now()
        guard check("write \(path)", Glibc.write(descriptor, bytes, bytes.count)) == bytes.count else {
            fail("partial write to \(path)")
        }
        close(descriptor)
        return moment
    }
}

/// The time between the arrival of one edit and the next edit.
enum EditInterval: String {
    /// None: processors and caches are active.
    case immediate = "at once"
    /// Half a millisecond of busy waiting: the watching process finishes its work, and this processor stays active.
    case short = "soon"
    /// 2 to 4 ms of sleep, so that the watching thread and its processor are idle.
    case idle = "rested"
    /// Some 50 ms of sleep: longer than the intervals in which the watching process does deferred work.
    case long = "after 50 ms"

    func wait(before edit: Int) {
        switch self {
        case .immediate: break
        case .short: EditInterval.spin(500_000)
        // Varies, to avoid a fixed phase relative to timer ticks.
        case .idle: usleep(UInt32(2_000 + edit * 613 % 2_000))
        case .long: usleep(UInt32(50_000 + edit * 613 % 2_000))
        }
    }

    private static func spin(_ nanoseconds: Int) {
        let end = now() + nanoseconds
        while now() < end {}
    }
}
