public import DurableFiles
public import LosslessJSON

/// How a session treats its file.
///
/// ```swift
/// var options = SessionOptions()
/// options.parsing.dialect = .json
/// let session = try Session(Server(), at: "server.json", options: options)
/// ```
public struct SessionOptions: Sendable {
    /// What texts are accepted: the dialect, the depth and the size.
    public var parsing = JSONDocument.Options()

    /// How long content that cannot be used may be half written: it counts as refused when nothing more happened to the
    /// file for this long.
    public var settlingTime = Duration.milliseconds(100)

    /// How long it may be half written at most, while things go on happening to it.
    public var settlingLimit = Duration.seconds(1)

    /// What is written into a file that was not there.
    public enum NewFile: Sendable {
        /// What the program has changed.
        case changedKeys
        /// Everything, as a template for people who edit it.
        case allKeys
    }

    /// What is written into a file that was not there.
    public var newFile = NewFile.changedKeys

    /// How long nothing more must have changed before a change is saved.
    public var savingDelay = Duration.milliseconds(250)

    /// How long a change waits at most, while more come.
    public var savingLimit = Duration.seconds(2)

    /// Who is right when the program and somebody else change the same value.
    public var conflicts = ConflictPolicy.fileWins

    /// How long after a save a value that returns to exactly what it was is taken for the mistake of a program that had
    /// read it before, and put in again, once. Zero is never.
    public var restoringTime = Duration.seconds(1)

    /// Whether the program cannot change anything: for files that are mounted, or whose owner is somebody else.
    public var isReadOnly = false

    /// Whether changes of the file are noticed. Without, the file is read when the session is opened, by each save and commit,
    /// and by ``FileMirror/reload()``: enough for a program that changes something and ends.
    public var isWatching = true

    /// Whether the file is polled, looked at once a second, whatever the kernel could tell: for file systems that keep changes
    /// from it and are not known to. Those that are known, such as NFS and FUSE, are polled anyway.
    public var isPolled = false

    /// How the file is replaced: whether the disk is waited for, and what becomes of hard links and folders.
    public var replacing = ReplaceOptions.durable

    /// How values are written whose own form people should not have to read; by default URLs, dates, bytes and decimals.
    public var conversions = JSONConversions.standard

    /// The defaults: comments are accepted, 512 levels, 256 MiB, 100 ms to settle and 1 s at most, 250 ms to save and 2 s
    /// at most.
    public init() {}
}
