internal import Glibc

/// Inotify without a library, for use where libinotifytools is unavailable or cannot be used.
final class KernelInotify: Inotify {
    private(set) var descriptor: Int32 = -1
    private var buffer: [UInt8] = []

    private static let bufferSize = 1 << 16
    /// The size of the largest event. If a read leaves less space than this in the buffer, there may be more events.
    private static let largestEvent = MemoryLayout<inotify_event>.size + Int(NAME_MAX) + 1

    // The kernel keeps no record of an ended watch.
    let staleRecords = 0
    let hasTooManyStaleRecords = false
    let backend = FileWatchBackend.kernelInotify

    func start() throws(FileWatchReason) {
        let opened = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard opened >= 0 else { throw .start(SystemError(number: errno)) }
        descriptor = opened
        buffer = [UInt8](repeating: 0, count: Self.bufferSize)
    }

    func stop() {
        close(descriptor)
        descriptorLost()
    }

    func descriptorLost() { (descriptor, buffer) = (-1, []) }
}

extension KernelInotify {
    func add(
        _ name: FileName?, in directory: ResolvedDirectory, _ mask: InotifyMask
    ) -> Result<WatchDescriptor, SystemError> {
        let number = directory.path(of: name ?? .current).withUnsafeBytes {
            inotify_add_watch(descriptor, $0.baseAddress!.assumingMemoryBound(to: CChar.self), mask.rawValue)
        }
        return number < 0 ? .failure(SystemError(number: errno)) : .success(WatchDescriptor(number: number))
    }

    func watches(ofInodesNumbered number: UInt64) -> [WatchDescriptor] {
        InotifyFDInfo.watches(of: descriptor, ofInodesNumbered: number)
    }

    func remove(_ watch: WatchDescriptor, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        removeNow(watch)
        return true
    }

    /// Has no effect on a watch that the kernel has ended meanwhile.
    func removeNow(_ watch: WatchDescriptor) { inotify_rm_watch(descriptor, watch.number) }

    func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool {
        let longest = events.count + limit
        while events.count < longest {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress!, $0.count) }
            guard count > 0 else { return count < 0 && errno == EINTR }
            buffer.withUnsafeBytes { Self.append(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: &events) }
            if count + Self.largestEvent <= Self.bufferSize { return false }
        }
        return true
    }

    /// Parses the events of one read. Each is a header and, for an entry of a directory, a name padded with NULs.
    private static func append(_ bytes: UnsafeRawBufferPointer, to events: inout [InotifyEvent]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let header = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
            let name = rest.dropFirst(MemoryLayout<inotify_event>.size).prefix(Int(header.len)).prefix { $0 != 0 }
            events.append(
                InotifyEvent(
                    watch: WatchDescriptor(number: header.wd), mask: InotifyMask(rawValue: header.mask),
                    name: name.isEmpty ? nil : FileName(name)))
            rest = rest.dropFirst(MemoryLayout<inotify_event>.size + Int(header.len))
        }
    }
}
