internal import Glibc
internal import Locking

/// The mounts that this process sees, and the descriptor that reports their changes, which inotify does not.
///
/// Only the watching thread uses it.
final class MountMonitor {
    /// Has an exceptional condition (`POLLPRI`) when mounts have changed; -1 if /proc is not readable.
    private(set) var descriptor: Int32 = -1
    private(set) var table = MountTable()
    /// When to read the table again.
    private(set) var deadline: Instant?
    private var lastRead = Instant(nanoseconds: 0)

    /// The shortest time between two reads, in nanoseconds. Mounts come in bursts when containers start, and reading a
    /// long table takes milliseconds.
    private static let minimumInterval: Int64 = 50_000_000

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Schedules a read because mounts have changed or the table is known to be stale.
    func scheduleRead(_ now: Instant) {
        if descriptor >= 0, deadline == nil { deadline = max(now, lastRead + Self.minimumInterval) }
    }

    /// Reads the table if it has not been read yet. Returns the mount points, or nil.
    func readFirst(_ now: Instant) -> [[UInt8]]? { descriptor < 0 && deadline == nil ? read(now) : nil }

    /// Handles that other code of the process has closed the descriptor: schedules opening it again immediately.
    func descriptorLost(_ now: Instant) { (descriptor, deadline) = (-1, now) }

    /// Reads the table if that is due. Returns the mount points where the mount is not the same as before, or nil.
    func readIfDue(_ now: Instant) -> [[UInt8]]? {
        guard let due = deadline, due <= now else { return nil }
        return read(now)
    }

    private func read(_ now: Instant) -> [[UInt8]]? {
        deadline = nil
        if descriptor < 0, !open(now) { return nil }
        lastRead = now
        let old = table
        lseek(descriptor, 0, SEEK_SET)
        table = MountTable(parsing: ProcFile.read(descriptor))
        return table.changes(since: old)
    }

    /// Opens the descriptor. If that fails because a limit is reached, schedules another attempt.
    private func open(_ now: Instant) -> Bool {
        descriptor = Glibc.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        if descriptor < 0, [EMFILE, ENFILE, ENOMEM].contains(errno) {
            deadline = now + Instant.nanosecondsPerSecond
        }
        return descriptor >= 0
    }
}
