#if InotifyTools
internal import CInotifyTools
internal import CLinux
internal import Glibc

/// Inotify through libinotifytools, which has one instance per process and no lock: only the hub's thread comes here.
///
/// Around the library stand: its descriptor, which it does not tell; a name of its own for each watch, because the
/// library finds the watch of a name and never forgets a name; and removals that cannot fail, because it writes to
/// standard error when they do.
struct InotifyTools: Inotify {
    private(set) var descriptor: Int32 = -1
    var records = StaleRecords()
    private var generation: UInt32 = 0

    /// More events than the kernel usually keeps.
    private static let longestQueue = 1 << 16

    var staleRecords: Int { records.stale }
    var isCrowded: Bool { records.isCrowded }

    let backend = FileWatchBackend.inotifyTools

    mutating func start() throws(FileWatchReason) {
        // There is one instance in a process, and events go to whoever takes them first.
        guard !inotifytools_is_initialized() else {
            throw FileWatchReason(.system, "another part of this process uses libinotifytools")
        }
        guard inotifytools_initialize() != 0 else { throw .start(SystemError(number: inotifytools_error())) }
        guard let found = InotifyDescriptor.find() else {
            inotifytools_cleanup()
            throw FileWatchReason(.system, "the descriptor of libinotifytools cannot be found")
        }
        // The library passes it to select, for which greater numbers end the process.
        guard found < FD_SETSIZE else {
            inotifytools_cleanup()
            throw .highDescriptor(found)
        }
        descriptor = found
        _ = fcntl(found, F_SETFD, FD_CLOEXEC)
        _ = fcntl(found, F_SETFL, fcntl(found, F_GETFL) | O_NONBLOCK)
    }

    mutating func stop() {
        // What is left in its buffer would come out of the next instance.
        var lost: [InotifyEvent] = []
        while collect(4096, &lost) { lost = [] }
        // This closes the number of its descriptor, whosever that is by now: the library cannot be told that it was lost.
        inotifytools_cleanup()
        // From now on the library must not be asked for events: it would read from whatever has this number next.
        descriptor = -1
        records.cleaned()
        generation = 0
    }
}

extension InotifyTools {
    mutating func add(_ name: FileName?, in directory: Directory, _ mask: InotifyMask) -> Result<Watch, SystemError> {
        generation += 1
        let spelling = Self.spelling(of: name, in: directory, generation)
        return spelling.withUnsafeBytes { bytes in
            let text = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            guard inotifytools_watch_file(text, Int32(bitPattern: mask.rawValue)) != 0 else {
                return .failure(SystemError(number: inotifytools_error()))
            }
            // What has just become a directory is recorded with a slash behind it.
            let asFile = inotifytools_wd_from_filename(text)
            let number = asFile >= 0 ? asFile : inotifytools_wd_from_filename(String(cString: text) + "/")
            guard number >= 0 else { return .failure(SystemError(number: ENOENT)) }
            records.added(Watch(number: number))
            return .success(Watch(number: number))
        }
    }

    /// A name for the same thing that was not used before: the digits of `generation` stand between directory and
    /// name, `./` for one and `/` for zero.
    static func spelling(of name: FileName?, in directory: Directory, _ generation: UInt32) -> [UInt8] {
        var result = directory.path + [UInt8(ascii: "/")]
        for digit in (0..<(UInt32.bitWidth - generation.leadingZeroBitCount)).reversed() {
            if generation >> UInt32(digit) & 1 == 1 { result.append(UInt8(ascii: ".")) }
            result.append(UInt8(ascii: "/"))
        }
        return result + (name?.bytes ?? []) + [0]
    }

    func watches(ofInodesNumbered number: UInt64) -> [Watch] {
        WatchList.watches(of: descriptor, ofInodesNumbered: number)
    }

    mutating func remove(_ watch: Watch, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        guard records.isGood(watch) else { return true }
        // While it is held the inode cannot go, and the kernel cannot end the watch before we do.
        let held = clinux_hold(inotifytools_filename_from_wd(watch.number))
        guard held >= 0 else { return false }
        defer { close(held) }
        var status = stat()
        guard fstat(held, &status) == 0, Inode(status) == inode else { return false }
        // It may have gone before, and its number been given to this one: then the queue says so.
        if collect(Self.longestQueue, &events) { return false }
        removeAtOnce(watch)
        return true
    }

    mutating func removeAtOnce(_ watch: Watch) {
        guard records.isGood(watch) else { return }
        if inotifytools_remove_watch_by_wd(watch.number) != 0 { records.removed(watch) } else { records.ended(watch) }
    }

    mutating func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool {
        for _ in 0..<limit {
            // 0 and 1: the only form that neither waits nor spins.
            guard let event = inotifytools_next_events(0, 1) else { return false }
            let watch = Watch(number: event.pointee.wd)
            let mask = InotifyMask(rawValue: event.pointee.mask)
            let name = inotifytools_event_name(event).map {
                FileName(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
            if mask.contains(.ignored) { records.ended(watch) }
            events.append(InotifyEvent(watch: watch, mask: mask, name: name))
        }
        return true
    }
}
#endif
