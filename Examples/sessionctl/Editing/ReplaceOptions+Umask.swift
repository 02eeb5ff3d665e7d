import DurableFiles
import Glibc

extension ReplaceOptions {
    /// Options of commands: a new file gets the permissions that other programs would give it, 0666 without the bits of
    /// the umask.
    ///
    /// umask(2) reads the mask only by changing it. Where /proc does not tell, a new file is for its owner only.
    static func forCommands(createsDirectories: Bool = false) -> ReplaceOptions {
        var options = ReplaceOptions.durable
        options.createsDirectories = createsDirectories
        // The kernel removes the bits of the umask. A process of root trusts no directory that others can write to.
        options.newDirectoryPermissions = geteuid() == 0 ? 0o755 : 0o777
        if let umask = currentUmask() { options.newFilePermissions = 0o666 & ~umask }
        return options
    }

    private static func currentUmask() -> UInt32? {
        guard let status = try? DurableFile("/proc/self/status").read(limit: 1 << 16).bytes else { return nil }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        return lines.lazy.filter { $0.hasPrefix("Umask:") }.first.flatMap {
            UInt32($0.drop { !$0.isNumber }, radix: 8)
        }
    }
}
