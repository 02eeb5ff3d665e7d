internal import Glibc

/// The kernel's own inotify: where libinotifytools cannot serve, or is not wanted.
struct KernelInotify: Inotify {
    private(set) var descriptor: Int32 = -1
    private var buffer: [UInt8] = []

    private static let bufferSize = 1 << 16
    /// The most that one event takes: what is left of the buffer after a read holds less only if there was no more.
    private static let largestEvent = MemoryLayout<inotify_event>.size + Int(NAME_MAX) + 1

    /// The kernel drops everything of a watch with it.
    let staleRecords = 0
    let isCrowded = false
    let backend = FileWatchBackend.kernelInotify

    mutating func start() throws(FileWatchReason) {
        let opened = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard opened >= 0 else { throw .start(SystemError(number: errno)) }
        descriptor = opened
        buffer = [UInt8](repeating: 0, count: Self.bufferSize)
    }

    mutating func stop() {
        close(descriptor)
        lost()
    }

    mutating func lost() { (descriptor, buffer) = (-1, []) }
}

extension KernelInotify {
    func add(_ name: FileName?, in directory: Directory, _ mask: InotifyMask) -> Result<Watch, SystemError> {
        let number = directory.path(of: name ?? .here).withUnsafeBytes {
            inotify_add_watch(descriptor, $0.baseAddress!.assumingMemoryBound(to: CChar.self), mask.rawValue)
        }
        return number < 0 ? .failure(SystemError(number: errno)) : .success(Watch(number: number))
    }

    func watches(ofInodesNumbered number: UInt64) -> [Watch] {
        WatchList.watches(of: descriptor, ofInodesNumbered: number)
    }

    func remove(_ watch: Watch, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        removeAtOnce(watch)
        return true
    }

    /// One that the kernel has ended meanwhile is refused, and nothing else happens.
    func removeAtOnce(_ watch: Watch) { inotify_rm_watch(descriptor, watch.number) }

    mutating func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool {
        let longest = events.count + limit
        while events.count < longest {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress!, $0.count) }
            guard count > 0 else { return count < 0 && errno == EINTR }
            buffer.withUnsafeBytes { Self.append(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: &events) }
            if count + Self.largestEvent <= Self.bufferSize { return false }
        }
        return true
    }

    /// Takes the events apart that a read has brought: each is a header and, for what is in a directory, a name that NULs
    /// fill up.
    private static func append(_ bytes: UnsafeRawBufferPointer, to events: inout [InotifyEvent]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let header = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
            let name = rest.dropFirst(MemoryLayout<inotify_event>.size).prefix(Int(header.len)).prefix { $0 != 0 }
            events.append(
                InotifyEvent(
                    watch: Watch(number: header.wd), mask: InotifyMask(rawValue: header.mask),
                    name: name.isEmpty ? nil : FileName(name)))
            rest = rest.dropFirst(MemoryLayout<inotify_event>.size + Int(header.len))
        }
    }
}
