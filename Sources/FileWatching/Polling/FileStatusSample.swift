internal import CLinux
internal import Glibc

/// The status of the file at a path, taken without opening it. If two samples differ, the path may lead to another file
/// or the file may have other content.
struct FileStatusSample: PollSample {
    private let status: clinux_status
    let isSynthetic: Bool

    /// Timestamps count ticks of the kernel, and on some file systems seconds or pairs of seconds.
    var timestampGranularity: Int64 { status.has_whole_seconds ? 2_000_000_000 : 20_000_000 }

    static func == (a: Self, b: Self) -> Bool { clinux_status_is_equal(a.status, b.status) }

    init(_ path: String, after last: FileStatusSample?) {
        var current = clinux_status()
        // Querying the directory makes a network file system refresh what it has cached of the directory's entries.
        clinux_get_status(Self.directory(of: path), &current)
        clinux_get_status(path, &current)
        status = current
        if let last, last.status.device == current.device {
            isSynthetic = last.isSynthetic
        } else {
            isSynthetic = FileSystemKind(statfsType: clinux_file_system_type(path))?.changeSource == .kernel
        }
    }

    private static func directory(of path: String) -> String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
