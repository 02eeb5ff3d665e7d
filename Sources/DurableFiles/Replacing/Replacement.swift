/// The result of a replacement: what was done, and which guarantees hold.
///
/// ```swift
/// let replacement = try file.replace(limit: 1 << 20) { found in edited(found) }
/// if replacement.method == .overwritten { log("\(file.path) cannot be replaced, only overwritten") }
/// ```
public struct Replacement: Sendable {
    /// How the new bytes got into the file.
    public enum Method: Sendable, Hashable {
        /// The file was not written: it already held the bytes, or the caller returned nil.
        case unchanged
        /// A new file was created. If two processes create it at once, one of them finds the other's file.
        case created
        /// The new version was exchanged with the old one, which was then checked: an edit made up to the exchange is
        /// detected and merged.
        case exchanged
        /// The new version was renamed over the old one, because the file system cannot exchange names. An edit that
        /// replaces the file between the last check and the rename is lost.
        case renamed
        /// The file was overwritten in place, because its directory cannot be modified or its hard links had to be
        /// kept.
        case overwritten
    }

    /// How much has reached the disk.
    public enum Durability: Sendable, Hashable {
        /// The contents and the directory entry.
        case complete
        /// The contents only: this file system or directory does not support synchronizing directory entries.
        case contentsOnly
        /// Nothing, because of ``ReplaceOptions/Durability/fast``, or because nothing was written.
        case none
    }

    /// Whether a lease blocked, or at least detected, processes that opened the file for writing.
    public enum Lease: Sendable, Hashable {
        /// A lease was held from the moment the old contents were read.
        case held
        /// A process had the file open for writing and did not close it within 2 s. What it writes later is lost unless
        /// it goes to one of ``Replacement/leftovers``.
        case writerDidNotClose
        /// No lease was available; the value is the `errno`. EACCES: the file belongs to another user. EAGAIN: a
        /// process had the file open while it was overwritten in place. Changes were detected by comparing contents for
        /// 2 s; see ``Replacement/versionsStillOpen``.
        case unavailable(Int32)
        /// There was no file to take a lease on.
        case noFile
    }

    /// Whether the directory lock excluded other programs that use this library.
    public enum Lock: Sendable, Hashable {
        /// The lock was held.
        case held
        /// Another process held the lock for 5 s.
        case timedOut
        /// The file system or the directory does not support locks; the value is the `errno`.
        case unavailable(Int32)
    }

    /// A part of a file's metadata.
    public enum Attribute: Sendable, Hashable, Comparable {
        /// The owner, and with it the set-user-ID bit.
        case user
        /// The group, and with it the group permissions.
        case group
        /// The permission bits.
        case permissions
        /// An extended attribute; access control lists are among them.
        case extended(String)
    }

    /// How the new bytes got into the file.
    public internal(set) var method = Method.unchanged
    /// The contents of the file as this replacement left it; nil if there is no file.
    public package(set) var contents: FileContents?
    /// How much has reached the disk.
    public internal(set) var durability = Durability.none
    /// Whether writers were blocked or detected.
    public internal(set) var lease = Lease.noFile
    /// Whether other programs that use this library waited.
    public internal(set) var lock = Lock.held
    /// The number of other hard links that keep the old contents.
    public internal(set) var linksToOldVersion = 0
    /// The metadata of the old version that the new one could not be given.
    public internal(set) var lostAttributes: Set<Attribute> = []
    /// Files next to the file that could not be removed: they belong to another user, or a process still has them open
    /// for writing.
    public internal(set) var leftovers: [String] = []
    /// The number of replaced versions that a process still had open, for reading or writing, when they were removed.
    /// What is written to them after that is lost.
    ///
    /// Versions are removed before they are closed only if ``lease-swift.property`` is
    /// ``Lease-swift.enum/unavailable(_:)``.
    public internal(set) var versionsStillOpen = 0
    /// The delay in microseconds after which the caller should replace again, to merge a displaced version that may be
    /// open.
    package internal(set) var recheckDelay: Int?
    /// The number of versions prepared; more than one if other processes wrote meanwhile.
    public internal(set) var tries = 0
}
