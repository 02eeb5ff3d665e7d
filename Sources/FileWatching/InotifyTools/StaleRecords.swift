/// Which records of libinotifytools are still good.
///
/// When the kernel ends a watch by itself (the file is deleted or its file system is gone), the library keeps its
/// record for ever: some 200 bytes and the path. Only cleaning the whole library drops them, which pays when there are
/// as many of them as there are good ones.
struct StaleRecords {
    /// Below so many nothing needs to be done.
    var limit = 1000

    private(set) var stale = 0
    private var good: Set<Watch> = []

    var isCrowded: Bool { stale > max(limit, good.count) }

    func isGood(_ watch: Watch) -> Bool { good.contains(watch) }

    mutating func added(_ watch: Watch) { good.insert(watch) }

    /// The library has dropped its record together with the watch.
    mutating func removed(_ watch: Watch) { good.remove(watch) }

    /// The kernel has ended the watch: `IN_IGNORED`, which also follows what the library removed.
    mutating func ended(_ watch: Watch) {
        if good.remove(watch) != nil { stale += 1 }
    }

    mutating func cleaned() { (stale, good) = (0, []) }
}
