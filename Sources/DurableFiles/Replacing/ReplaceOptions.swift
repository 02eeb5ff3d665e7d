/// Options for replacing a file.
public struct ReplaceOptions: Sendable, Hashable {
    /// What the file holds if the power fails after the replacement has returned.
    public enum Durability: Sendable, Hashable {
        /// The file holds the new bytes.
        case durable
        /// The file holds the old bytes, the new ones, or none (also on ext4), because nothing waits for the disk. If
        /// only the process is killed, the file still holds one complete version.
        case fast
    }

    /// The treatment of a file with several hard links.
    public enum HardLinks: Sendable, Hashable {
        /// The path gets a new file, and the other links keep the old contents.
        case unlink
        /// All links keep naming the same file, which is overwritten in place, with a backup copy of both versions next
        /// to it for repair after a crash.
        case keep
    }

    /// Whether to wait for the disk.
    public var durability: Durability = .durable

    /// What happens to other hard links of the file.
    public var hardLinks: HardLinks = .unlink

    /// Whether to create missing directories of the path if there is something to write.
    public var createsDirectories = false

    /// The permission bits of a new directory; the kernel removes those of the umask.
    public var newDirectoryPermissions: UInt32 = 0o700

    /// The permission bits of a new file. A file that is deleted during the replacement, or that a session has seen
    /// before, gets its previous permissions instead, and its owner and group if the process may set them.
    public var newFilePermissions: UInt32 = 0o600

    /// The directory for backup copies of files that are overwritten in place and whose own directory takes no copy.
    /// Nil selects `durable-files` in the first of systemd's `STATE_DIRECTORY`, `XDG_STATE_HOME` and `~/.local/state`.
    public var backupDirectory: String?

    /// The IDs of further users whom the process trusts with the path, as it trusts root and itself: it follows their
    /// symbolic links and accepts what they put into their directories.
    ///
    /// A directory that its group may write to is trusted only if its owner is listed here, even if that is root.
    public var trustedOwners: Set<UInt32> = []

    /// Creates options: durable, other hard links keep the old contents, no directories are created.
    public init() {}

    /// The default options.
    public static var durable: ReplaceOptions { ReplaceOptions() }

    /// Atomic, without waiting for the disk.
    public static var fast: ReplaceOptions {
        var options = ReplaceOptions()
        options.durability = .fast
        return options
    }
}
