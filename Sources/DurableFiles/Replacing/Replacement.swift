/// What a replacement did, what it promises, and what it could not.
///
/// ```swift
/// let replacement = try file.replace(limit: 1 << 20) { found in edited(found) }
/// if replacement.method == .overwritten { log("\(file.path) cannot be replaced, only overwritten") }
/// ```
public struct Replacement: Sendable {
    /// How the new bytes came into the file.
    public enum Method: Sendable, Hashable {
        /// Not at all: they were there, or the caller wanted none.
        case unchanged
        /// There was no file; if two create it at once, one of them finds the other's.
        case created
        /// The new version took the place of the old one, which was then looked at: an edit of the last moment is
        /// noticed and merged.
        case exchanged
        /// The file system can only rename. An edit that replaces the file between the last look and that is lost.
        case renamed
        /// Names cannot be changed there, or the caller wants them kept: the bytes went into the file itself.
        case overwritten
    }

    /// How much has reached the disk.
    public enum Durability: Sendable, Hashable {
        /// The bytes and the name.
        case complete
        /// The bytes; this file system or folder has no way to wait for names.
        case withoutName
        /// Nothing was waited for, as the options say, or nothing was written.
        case none
    }

    /// Whether somebody who opened the file to write was held back, or at least noticed.
    public enum Lease: Sendable, Hashable {
        /// Yes, from the reading of the old bytes on.
        case held
        /// Somebody had the file open for writing and did not close it for two seconds. What they write later is lost
        /// unless it still reaches ``Replacement/leftOvers``.
        case writerStayed
        /// No: the error number says why. EACCES is for files of other users; EAGAIN says that somebody had it open while
        /// it was written in place. Changes were looked for by comparing.
        case unavailable(Int32)
        /// There was no file to take one on.
        case noFile
    }

    /// Whether other programs that use this library waited.
    public enum Lock: Sendable, Hashable {
        /// They did.
        case held
        /// Somebody kept the folder locked for five seconds.
        case timedOut
        /// The file system or the folder has none: the error number says why.
        case unavailable(Int32)
    }

    /// What belongs to a file beside its bytes.
    public enum Attribute: Sendable, Hashable, Comparable {
        /// The user who owns it, and with it the bit that runs it as that user.
        case user
        /// The group, and with it all that the group may do.
        case group
        /// The permission bits.
        case permissions
        /// An extended attribute, lists of access rights included.
        case extended(String)
    }

    /// How the new bytes came into the file.
    public internal(set) var method = Method.unchanged
    /// What the file holds now, as this replacement left it; nil when there is none.
    public internal(set) var contents: FileContents?
    /// How much has reached the disk.
    public internal(set) var durability = Durability.none
    /// Whether writers were held back.
    public internal(set) var lease = Lease.noFile
    /// Whether cooperating programs waited.
    public internal(set) var lock = Lock.held
    /// How many other names of the file keep the old bytes.
    public internal(set) var partedLinks = 0
    /// What of the old version the new one could not be given.
    public internal(set) var lostAttributes: Set<Attribute> = []
    /// Files that lie beside it and could not be cleared away: somebody else's, or still being written to.
    public internal(set) var leftOvers: [String] = []
    /// How many versions were prepared; more than one when others wrote meanwhile.
    public internal(set) var tries = 0
}
