/// Inotify through libinotifytools where that can be used, and without a library otherwise.
final class AutomaticInotify: Inotify {
    #if InotifyTools
    private(set) var active: any Inotify = InotifyTools()
    #else
    private(set) var active: any Inotify = KernelInotify()
    #endif
    /// Why libinotifytools is not used; nil if it is.
    private(set) var fallbackReason: FileWatchReason?

    var descriptor: Int32 { active.descriptor }
    var staleRecords: Int { active.staleRecords }
    var hasTooManyStaleRecords: Bool { active.hasTooManyStaleRecords }
    var backend: FileWatchBackend { active.backend }

    /// Tries libinotifytools first, each time: what prevented its use may be gone.
    func start() throws(FileWatchReason) {
        #if InotifyTools
        if !(active is InotifyTools) { active = InotifyTools() }
        fallbackReason = nil
        do throws(FileWatchReason) { return try active.start() } catch { fallbackReason = error }
        active = KernelInotify()
        #endif
        try active.start()
    }

    func stop() { active.stop() }

    func descriptorLost() { active.descriptorLost() }

    func add(
        _ name: FileName?, in directory: ResolvedDirectory, _ mask: InotifyMask
    ) -> Result<WatchDescriptor, SystemError> {
        active.add(name, in: directory, mask)
    }

    func watches(ofInodesNumbered number: UInt64) -> [WatchDescriptor] { active.watches(ofInodesNumbered: number) }

    func remove(_ watch: WatchDescriptor, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        active.remove(watch, of: inode, &events)
    }

    func removeNow(_ watch: WatchDescriptor) { active.removeNow(watch) }

    func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool { active.collect(limit, &events) }
}
