import Glibc
import HandTimed

/// A way to replace what a file holds.
enum Edit: String {
    /// In place, as `>` does.
    case write = "write+close"
    /// In place, without emptying it first: what is seen from outside begins with the write.
    case overwrite = "write+close in place"
    /// Beside it and then in its place, as most editors do.
    case rename

    /// Does it, and says when the last step that can be seen from outside began.
    func replace(_ path: String, with bytes: [UInt8]) -> Int {
        switch self {
        case .write: return Edit.write(bytes, to: path, O_TRUNC)
        case .overwrite: return Edit.write(bytes, to: path)
        case .rename:
            _ = Edit.write(bytes, to: "\(path).new", O_TRUNC)
            let moment = now()
            _ = must("rename", Glibc.rename("\(path).new", path))
            return moment
        }
    }

    private static func write(_ bytes: [UInt8], to path: String, _ flags: Int32 = 0) -> Int {
        let descriptor = must("open \(path)", open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600))
        let moment = now()
        guard must("write \(path)", Glibc.write(descriptor, bytes, bytes.count)) == bytes.count else {
            fail("\(path) was written in part")
        }
        close(descriptor)
        return moment
    }
}
