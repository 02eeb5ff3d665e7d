#if InotifyTools
internal import CInotifyTools
internal import CLinux
internal import Glibc

/// Inotify through libinotifytools, which has one instance per process and no lock: only the watching thread uses it.
///
/// This type works around three properties of the library. It does not reveal its descriptor, which must be found. It
/// identifies watches by name and never forgets a name, so each watch gets a unique spelling. And it writes to standard
/// error when a removal fails, so only removals that cannot fail are attempted.
final class InotifyTools: Inotify {
    private(set) var descriptor: Int32 = -1
    var records = LibraryRecords()
    private var generation: UInt32 = 0

    /// More events than the kernel queues by default.
    private static let longestQueue = 1 << 16

    var staleRecords: Int { records.stale }
    var hasTooManyStaleRecords: Bool { records.hasTooManyStale }

    let backend = FileWatchBackend.inotifyTools

    func start() throws(FileWatchReason) {
        // There is one instance per process, and each event goes to the first caller that collects it.
        guard !inotifytools_is_initialized() else {
            throw FileWatchReason(.system, "another part of this process uses libinotifytools")
        }
        guard inotifytools_initialize() != 0 else { throw .start(SystemError(number: inotifytools_error())) }
        guard let found = InotifyDescriptor.find() else {
            inotifytools_cleanup()
            throw FileWatchReason(.system, "the descriptor of libinotifytools cannot be found")
        }
        // The library passes the descriptor to select, which aborts the process for greater numbers.
        guard found < FD_SETSIZE else {
            inotifytools_cleanup()
            throw .highDescriptor(found)
        }
        descriptor = found
        _ = fcntl(found, F_SETFD, FD_CLOEXEC)
        _ = fcntl(found, F_SETFL, fcntl(found, F_GETFL) | O_NONBLOCK)
    }

    func stop() {
        // Events left in the library's buffer would be delivered by the next instance.
        var discarded: [InotifyEvent] = []
        while collect(4096, &discarded) { discarded = [] }
        // This closes the descriptor's number even if it has been closed and reused: the library has no way to prevent
        // that.
        inotifytools_cleanup()
        // From here on the library must not be asked for events: it would read from whatever has this number next.
        descriptor = -1
        records.removeAll()
        generation = 0
    }
}

extension InotifyTools {
    func add(
        _ name: FileName?, in directory: ResolvedDirectory, _ mask: InotifyMask
    ) -> Result<WatchDescriptor, SystemError> {
        generation += 1
        let spelling = Self.spelling(of: name, in: directory, generation)
        return spelling.withUnsafeBytes { bytes in
            let text = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            guard inotifytools_watch_file(text, Int32(bitPattern: mask.rawValue)) != 0 else {
                return .failure(SystemError(number: inotifytools_error()))
            }
            // If the file has just been replaced by a directory, the library records the name with a trailing slash.
            let asFile = inotifytools_wd_from_filename(text)
            let number = asFile >= 0 ? asFile : inotifytools_wd_from_filename(String(cString: text) + "/")
            guard number >= 0 else { return .failure(SystemError(number: ENOENT)) }
            records.insert(WatchDescriptor(number: number))
            return .success(WatchDescriptor(number: number))
        }
    }

    /// Returns a spelling of the path that was not used before: the binary digits of `generation` stand between
    /// directory and name, `./` for one and `/` for zero.
    static func spelling(of name: FileName?, in directory: ResolvedDirectory, _ generation: UInt32) -> [UInt8] {
        var result = directory.path + [UInt8(ascii: "/")]
        for digit in (0..<(UInt32.bitWidth - generation.leadingZeroBitCount)).reversed() {
            if generation >> UInt32(digit) & 1 == 1 { result.append(UInt8(ascii: ".")) }
            result.append(UInt8(ascii: "/"))
        }
        return result + (name?.bytes ?? []) + [0]
    }

    func watches(ofInodesNumbered number: UInt64) -> [WatchDescriptor] {
        InotifyFDInfo.watches(of: descriptor, ofInodesNumbered: number)
    }

    func remove(_ watch: WatchDescriptor, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        guard records.isValid(watch) else { return true }
        // An open descriptor keeps the inode in existence, so that the kernel cannot end the watch first.
        let held = clinux_open_path(inotifytools_filename_from_wd(watch.number))
        guard held >= 0 else { return false }
        defer { close(held) }
        var status = stat()
        guard fstat(held, &status) == 0, Inode(status) == inode else { return false }
        // The watched inode may have been deleted before and its number reused: then the queue contains that event.
        if collect(Self.longestQueue, &events) { return false }
        guard records.isValid(watch) else { return true }
        if inotifytools_remove_watch_by_wd(watch.number) != 0 {
            records.remove(watch)
        } else {
            records.markStale(watch)
        }
        return true
    }

    /// Ends the watch without the library, because the kernel may have ended it meanwhile, and the event not be collected
    /// yet. The record becomes stale with that event.
    func removeNow(_ watch: WatchDescriptor) {
        if records.isValid(watch) { inotify_rm_watch(descriptor, watch.number) }
    }

    func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool {
        for _ in 0..<limit {
            // A timeout of 0 and a count of 1 is the only combination that neither waits nor spins.
            guard let event = inotifytools_next_events(0, 1) else { return false }
            let watch = WatchDescriptor(number: event.pointee.wd)
            let mask = InotifyMask(rawValue: event.pointee.mask)
            let name = inotifytools_event_name(event).map {
                FileName(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
            if mask.contains(.ignored) { records.markStale(watch) }
            events.append(InotifyEvent(watch: watch, mask: mask, name: name))
        }
        return true
    }
}
#endif

/// The records that libinotifytools keeps of watches, and which of them are stale.
///
/// When the kernel ends a watch by itself (the file is deleted or its file system unmounted), the library keeps the
/// record, some 200 bytes and the path, forever. Only a cleanup of the whole library frees stale records, which pays
/// off when there are more of them than valid ones.
struct LibraryRecords {
    /// The number of stale records that is always tolerated.
    var limit = 1000

    private(set) var stale = 0
    private var valid: Set<WatchDescriptor> = []

    var hasTooManyStale: Bool { stale > max(limit, valid.count) }

    func isValid(_ watch: WatchDescriptor) -> Bool { valid.contains(watch) }

    mutating func insert(_ watch: WatchDescriptor) { valid.insert(watch) }

    /// Removes a record that the library has freed together with its watch.
    mutating func remove(_ watch: WatchDescriptor) { valid.remove(watch) }

    /// Counts the record of a watch that the kernel has ended (`IN_IGNORED`) as stale. That event also follows a
    /// removal, which has no effect here.
    mutating func markStale(_ watch: WatchDescriptor) {
        if valid.remove(watch) != nil { stale += 1 }
    }

    mutating func removeAll() { (stale, valid) = (0, []) }
}
