public import DurableFiles
public import LosslessJSON

/// The options of a session.
///
/// ```swift
/// var options = SessionOptions(start: .requireValid)
/// options.parsing.dialect = .json
/// let session = try Session(Server(), at: "server.json", options: options)
/// ```
public struct SessionOptions: Sendable {
    /// The accepted texts: dialect, nesting depth and size.
    public var parsing = JSONDocument.Options()

    /// What a session needs when it is opened.
    public enum Start: Sendable {
        /// Nothing: serves the defaults while the file is missing or invalid. For preferences.
        case useDefaults
        /// A file that is valid or missing: opening throws the problem of an invalid one. For a service that must not
        /// run with its defaults because of a typing error.
        case requireValid
        /// A valid file: opening throws if it is missing or invalid.
        case requireFile
    }

    /// What a session needs when it is opened. Content that may be incomplete gets the ``settlingTime``, because its
    /// writer may not have finished.
    public var start: Start

    /// Whether keys of the file that the session's type does not have are reported as warnings: a misspelled key would
    /// silently mean its default.
    public enum UnknownKeys: Sendable {
        /// Each such key is reported once and listed in ``MirrorStatus/warnings``, except for the given names, wherever
        /// they occur, and `$schema`. Dictionaries and `JSON` have no unknown keys.
        case warn(except: Set<String> = [])
        /// They are not reported.
        case ignore
    }

    /// Whether keys of the file that the session's type does not have are reported as warnings.
    public var unknownKeys = UnknownKeys.warn()

    /// The values that must not appear in problems, reports and errors; `<redacted>` stands for them:
    ///
    /// ```swift
    /// options.secrets = ["database.password", "tenants.*.token"]
    /// ```
    ///
    /// ``SessionProblem/code-swift.property`` has them, for the program. A problem that may be about a misspelled key
    /// of a secret, or whose text cannot be parsed, has no excerpt. See <doc:Logging>.
    public var secrets: JSONSecrets = []

    /// What to do with problems while the reports of ``Session/mirror`` have no observer.
    public enum UnobservedProblems: Sendable {
        /// Write them to standard error, once each.
        case standardError
        /// Keep them in the status only.
        case ignore
    }

    /// What to do with problems while the reports of ``Session/mirror`` have no observer.
    public var unobservedProblems = UnobservedProblems.standardError

    /// How long a file that is missing, unreadable or not valid JSON must stay unchanged before this is reported,
    /// because its writer may not have finished. Valid JSON that is rejected is reported at once.
    public var settlingTime = Duration.milliseconds(100)

    /// The maximum time before such a file is reported while it keeps changing.
    public var settlingLimit = Duration.seconds(1)

    /// What a save writes into a file that did not exist.
    public enum NewFile: Sendable {
        /// The values that the program has changed.
        case changedKeys
        /// All values, as a template for people who edit the file.
        case allKeys
    }

    /// What a save writes into a file that did not exist.
    public var newFile = NewFile.changedKeys

    /// The time without further changes after which pending changes are saved.
    public var savingDelay = Duration.milliseconds(250)

    /// The maximum time before pending changes are saved while more changes arrive.
    public var savingLimit = Duration.seconds(2)

    /// Which side wins a conflict. A closure that starts a program must use ``ChildProcess``.
    public var conflicts = ConflictPolicy.fileWins

    /// How to merge arrays that both the program and another writer changed; by default as a whole, so that one side
    /// loses its change if both added elements:
    ///
    /// ```swift
    /// options.arrays = ["peers": .union, "log": .append, "servers": .byIdentity("id")]
    /// ```
    public var arrays: JSONArrayRules = [:]

    /// How long after a save a value that changes back to exactly its previous value is treated as a stale write and
    /// restored once. With zero, previous values are not remembered, and reverted values are not reported either.
    public var staleWriteWindow = Duration.seconds(1)

    /// Whether the program cannot change the value: for files that are mounted read-only, or owned by someone else.
    public var isReadOnly = false

    /// How a session notices changes of its file.
    public enum Watching: Sendable {
        /// By the kernel's notifications, and by polling where these do not report all changes, such as on NFS and
        /// FUSE.
        case automatic
        /// By polling once a second: for file systems that do not report all changes and that this library does not
        /// recognize.
        case polling
        /// Not at all: the file is read when the session is opened, by each save and commit, and by
        /// ``FileMirror/reload()``. Sufficient for a program that changes something and exits.
        case off
    }

    /// How a session notices changes of its file.
    public var watching = Watching.automatic

    /// How the file is replaced: durability, hard links and directories.
    public var replacing = ReplaceOptions.durable

    /// The user ids that the session trusts with the path of its file, in addition to root and the user of the process.
    /// The same set as `trustedOwners` of ``replacing``; applies to loading, too.
    public var trustedOwners: Set<UInt32> {
        get { replacing.trustedOwners }
        set { replacing.trustedOwners = newValue }
    }

    /// How values of types with an unreadable default encoding are written; by default URLs, durations, dates, data and
    /// decimals.
    public var conversions = JSONConversions.standard

    /// The defaults: comments are accepted, 512 levels, 256 MiB, 100 ms to settle and 1 s at most, 250 ms to save and
    /// 2 s at most.
    public init(start: Start = .useDefaults) { self.start = start }
}

/// Which side wins if the program and another writer changed the same value of the file in different ways.
///
/// The session reports each conflict as a ``SessionProblem`` with the three values.
public enum ConflictPolicy: Sendable {
    /// The file wins; the default.
    case fileWins
    /// The program wins.
    case memoryWins
    /// The closure returns the value; nil removes it. In the conflict, the program's side is called ours and the file's
    /// theirs. If each side is valid but the merged value is not, the closure is called with the whole value and the
    /// root path; if its result is not valid either, the file wins.
    case custom(@Sendable (JSONConflict) -> JSON?)
}
