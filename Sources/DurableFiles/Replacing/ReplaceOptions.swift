/// How a file is to be replaced.
public struct ReplaceOptions: Sendable, Hashable {
    /// What a return means when the power fails the moment after.
    public enum Durability: Sendable, Hashable {
        /// The new bytes are there.
        case durable
        /// The old bytes are there, or the new ones, or none (on ext4 too): nothing waits for the disk. Programs that are
        /// killed still leave one complete version.
        case fast
    }

    /// What becomes of the other names of a file that has several (hard links).
    public enum HardLinks: Sendable, Hashable {
        /// They keep the bytes from before, and the file at the path is one of its own.
        case part
        /// They keep showing the same file, which is written in place then: with a copy of both versions beside it,
        /// from which a crash is mended.
        case keep
    }

    /// Whether to wait for the disk.
    public var durability: Durability = .durable

    /// Whether other names of the file go on naming it.
    public var hardLinks: HardLinks = .part

    /// Whether folders on the way to a file that is not there yet are created, open to their owner only.
    public var createsFolders = false

    /// The permission bits of a file that is not there yet.
    public var newFilePermissions: UInt32 = 0o600

    /// Where copies lie while a file is written in place whose own folder takes none. Nil is the first of systemd's
    /// `STATE_DIRECTORY`, `XDG_STATE_HOME` and `~/.local/state`.
    public var rescueFolder: String?

    /// Durable, parting hard links, creating no folders.
    public init() {}

    /// Durable, parting hard links, creating no folders.
    public static var durable: ReplaceOptions { ReplaceOptions() }

    /// Atomic, but without waiting for the disk.
    public static var fast: ReplaceOptions {
        var options = ReplaceOptions()
        options.durability = .fast
        return options
    }
}
