import Glibc
import LosslessJSON
import SessionMirror

/// What a session tells of its file.
enum WatchEvent: Sendable {
    /// There is a new version.
    case version(Snapshot<JSON>, at: UnixTime)
    /// Something beside the values.
    case report(MirrorReport)
}

/// A moment as people and other programs name it.
struct UnixTime: Sendable {
    /// Since the beginning of 1970.
    let nanoseconds: Int64

    static var now: UnixTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
