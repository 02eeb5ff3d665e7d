/// Inotify as a process has it: by libinotifytools where it can serve, by the kernel's own interface otherwise.
struct SystemInotify: Inotify {
    #if InotifyTools
    var chosen: any Inotify = InotifyTools()
    #else
    var chosen: any Inotify = KernelInotify()
    #endif
    /// Why it is not the first choice.
    private(set) var detour: FileWatchReason?

    var descriptor: Int32 { chosen.descriptor }
    var staleRecords: Int { chosen.staleRecords }
    var isCrowded: Bool { chosen.isCrowded }
    var backend: FileWatchBackend { chosen.backend }

    /// Every start tries the first choice first: what stood in its way may be gone.
    mutating func start() throws(FileWatchReason) {
        #if InotifyTools
        if !(chosen is InotifyTools) { chosen = InotifyTools() }
        detour = nil
        do throws(FileWatchReason) { return try chosen.start() } catch { detour = error }
        chosen = KernelInotify()
        #endif
        try chosen.start()
    }

    mutating func stop() { chosen.stop() }

    mutating func lost() { chosen.lost() }

    mutating func add(_ name: FileName?, in directory: Directory, _ mask: InotifyMask) -> Result<Watch, SystemError> {
        chosen.add(name, in: directory, mask)
    }

    func watches(ofInodesNumbered number: UInt64) -> [Watch] { chosen.watches(ofInodesNumbered: number) }

    mutating func remove(_ watch: Watch, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        chosen.remove(watch, of: inode, &events)
    }

    mutating func removeAtOnce(_ watch: Watch) { chosen.removeAtOnce(watch) }

    mutating func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool { chosen.collect(limit, &events) }
}
