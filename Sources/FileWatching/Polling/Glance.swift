internal import CLinux
internal import Glibc

/// What one look at a path shows, without opening anything: when that is another, the file may be another or hold something
/// else.
struct Glance: Equatable, Sendable {
    private let what: clinux_status
    /// Nothing can be told by looking: the kernel makes the file up when it is read.
    let isMadeUp: Bool

    /// How long a file may change without its times' showing that, in nanoseconds: they count the kernel's ticks, and on
    /// some file systems seconds, or every other one.
    var blindness: Int64 { what.hasWholeSeconds ? 2_000_000_000 : 20_000_000 }

    static func == (a: Self, b: Self) -> Bool { clinux_status_is_equal(a.what, b.what) }

    init(_ path: String, after last: Glance?) {
        var status = clinux_status()
        // A server that is asked for the folder tells anew what is in it.
        clinux_look(Self.folder(of: path), &status)
        clinux_look(path, &status)
        what = status
        if let last, last.what.device == status.device {
            isMadeUp = last.isMadeUp
        } else {
            isMadeUp = FileSystemKind(blind: clinux_file_system(path))?.author == .kernel
        }
    }

    private static func folder(of path: String) -> String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
