internal import Glibc
internal import Locking

/// The mounts that this process sees, and the descriptor that tells when they change: inotify does not.
///
/// Only whoever runs the hub's loop touches it.
final class Mounts {
    /// Has an exceptional condition, as `poll` calls it, when mounts have changed; -1 where /proc cannot be read.
    private(set) var descriptor: Int32 = -1
    private(set) var table = MountTable()
    /// When to read them again.
    private(set) var deadline: Moment?
    private var lastRead = Moment(nanoseconds: 0)

    /// Mounts come in crowds, when containers begin, and a long list takes milliseconds to read.
    private static let pause: Int64 = 50_000_000

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// They have changed, or the table does not say what is seen.
    func changed(_ now: Moment) {
        if descriptor >= 0, deadline == nil { deadline = max(now, lastRead + Self.pause) }
    }

    /// Reads them for the first time, if nobody has.
    func begin(_ now: Moment) -> [[UInt8]]? { descriptor < 0 && deadline == nil ? read(now) : nil }

    /// Somebody has closed the descriptor. It is opened again at once.
    func lost(_ now: Moment) { (descriptor, deadline) = (-1, now) }

    /// Reads what is mounted now, if it is time; the paths at which it is not what it was.
    func readIfDue(_ now: Moment) -> [[UInt8]]? {
        guard let due = deadline, due <= now else { return nil }
        return read(now)
    }

    private func read(_ now: Moment) -> [[UInt8]]? {
        deadline = nil
        if descriptor < 0, !open(now) { return nil }
        lastRead = now
        let old = table
        lseek(descriptor, 0, SEEK_SET)
        table = MountTable(parsing: ProcFile.read(descriptor))
        return table.changes(since: old)
    }

    /// Where /proc is not to be had it is not asked for again; where this process may open nothing more it is.
    private func open(_ now: Moment) -> Bool {
        descriptor = Glibc.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        if descriptor < 0, [EMFILE, ENFILE, ENOMEM].contains(errno) { deadline = now + Moment.second }
        return descriptor >= 0
    }
}
