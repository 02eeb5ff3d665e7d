internal import DurableFiles
internal import FileWatching
internal import LosslessJSON

/// Keeps a `Codable` value in sync with a JSON file.
///
/// ```swift
/// struct Server: Codable, Sendable {
///     var port = 8080
///     var greeting = "hello"
/// }
///
/// let session = try Session(Server(), at: "server.json")      // defaults; the file need not exist
/// session.port                                                // the current value
/// session.read { ($0.port, $0.greeting) }                     // several values of one version
/// let token = session.observe(\.port) { print($0.new) }
/// try session.update { $0.port = 9090 }                       // visible at once, saved soon
/// try await session.commit { $0.port += 1 }                   // durable, and atomic among processes
/// try await session.close()                                   // saves pending changes
/// ```
///
/// Reading never locks and never waits: reading a number, a flag or an enum through a literal key path takes a few
/// nanoseconds, allocates nothing and counts no reference. Returning a string or an array counts one reference. A
/// change of the file is read, decoded and published on a thread of the library, as one new version; versions that are
/// still being read stay intact.
///
/// An invalid file changes nothing: the session keeps the last valid value, and ``mirror`` reports what is wrong and
/// where.
///
/// Use one session per file and process, and share it. If a member of `Session` hides a property of the value, access
/// the property as `session[\.name]`.
@dynamicMemberLookup
public final class Session<Root: Codable & Sendable>: Sendable {
    @usableFromInline let snapshotCell: SessionCell<Root>
    let dispatcher: ChangeDispatcher
    let source: Source
    package let conversions: JSONConversions
    package let attachments = Attachments()

    /// The source of the value, and its writer.
    enum Source: Sendable {
        case file(FileSynchronizer, Writer<Root>?)
        case memory(Writer<Root>, MemoryStatus)
        case constant(MemoryStatus)
    }

    /// Opens a session of the file at `path`, which need not exist.
    ///
    /// When this returns, the file has been read, and every later change is noticed. By default an invalid file is not
    /// an error here: the session serves the defaults, its ``FileMirror/status`` says what is wrong, and it keeps
    /// watching. Set ``SessionOptions/start-swift.property`` to make an invalid file an error.
    ///
    /// - Parameters:
    ///   - defaults: The values that the file leaves out, and the whole value if there is no file.
    ///   - path: The path of the file. A relative path resolves against the working directory at initialization.
    ///   - options: How to parse, watch, save and merge.
    ///   - check: Rejects a value by throwing an error, preferably a ``ValidationError``. Runs on any thread, for each new
    ///     content of the file; must start programs by ``ChildProcess`` only.
    /// - Throws: A ``SessionError`` if the path cannot be watched, the defaults are unusable, the file does not meet
    ///   ``SessionOptions/start-swift.property``, or this process was forked from one that had sessions.
    public convenience init(
        _ defaults: Root, at path: String, options: SessionOptions = SessionOptions(),
        check: (@Sendable (Root) throws -> Void)? = nil
    ) throws(SessionError) {
        if ForkHandling.isForkedChild { throw .forked }
        let coder = RootCoder(
            conversions: options.conversions, defaults: try Session.encoded(defaults, options, check))
        let initial = SnapshotStorage(defaults, version: .first, origin: .initial, source: .nothing)
        let snapshotCell = SessionCell(initial)
        let dispatcher = ChangeDispatcher(snapshotCell, unobservedProblems: options.unobservedProblems)
        let synchronizer = FileSynchronizer(
            path, DurableFile(try Session.absolutePath(path, options)), options,
            ValidatingDecoder(
                coder: coder, check: check, unknownKeys: options.unknownKeys, secrets: options.secrets),
            defaults: initial, dispatchers: DispatcherList([dispatcher]))
        try ThreadPool.blocking { () throws(SessionError) in try synchronizer.open() }
        let writer = Writer(snapshotCell, dispatcher, to: .file(synchronizer), coder: coder, check: check)
        self.init(
            snapshotCell, dispatcher, .file(synchronizer, options.isReadOnly ? nil : writer), options.conversions)
    }

    /// Creates a session without a file, for tests and for programs that were given no file. Only the program changes
    /// it, and a test can simulate edits and problems of a file: see <doc:TestingPrograms>.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - check: Rejects a changed value by throwing an error.
    public convenience init(inMemory value: Root, check: (@Sendable (Root) throws -> Void)? = nil) {
        self.init(inMemory: value, unobservedProblems: .ignore, check: check)
    }

    convenience init(
        inMemory value: Root, unobservedProblems: SessionOptions.UnobservedProblems,
        check: (@Sendable (Root) throws -> Void)?
    ) {
        let snapshotCell = SessionCell(
            SnapshotStorage(value, version: .first, origin: .initial, source: .value(.standard)))
        let dispatcher = ChangeDispatcher(snapshotCell, unobservedProblems: unobservedProblems)
        // As in a file, a member that is removed from the tree has its first value again.
        let defaults = (try? JSONValueEncoder(conversions: .standard).encode(value)) ?? .object([:])
        let coder = RootCoder(conversions: .standard, defaults: defaults)
        self.init(
            snapshotCell, dispatcher,
            .memory(Writer(snapshotCell, dispatcher, coder: coder, check: check), MemoryStatus(dispatcher)))
    }

    /// Creates a session whose value never changes, for tests and for code that requires a session.
    public convenience init(constant value: Root) {
        let snapshotCell = SessionCell(
            SnapshotStorage(value, version: .first, origin: .initial, source: .value(.standard)))
        let dispatcher = ChangeDispatcher(snapshotCell)
        self.init(snapshotCell, dispatcher, .constant(MemoryStatus(dispatcher)))
    }

    init(
        _ snapshotCell: SessionCell<Root>, _ dispatcher: ChangeDispatcher, _ source: Source,
        _ conversions: JSONConversions = .standard
    ) {
        self.conversions = conversions
        self.snapshotCell = snapshotCell
        self.dispatcher = dispatcher
        self.source = source
    }

    deinit {
        // The child of a fork must not change what belongs to its parent, nor wait for locks that no thread will
        // release.
        if ForkHandling.isForkedChild { return }
        ThreadPool.blocking {
            switch source {
            case .file(let synchronizer, let writer):
                writer?.close()
                synchronizer.release(dispatcher)
            case .memory(let writer, _): writer.close()
            case .constant: break
            }
            dispatcher.finish()
        }
    }

    /// The writer; nil if the session is read-only or constant.
    var optionalWriter: Writer<Root>? {
        switch source {
        case .file(_, let writer): writer
        case .memory(let writer, _): writer
        case .constant: nil
        }
    }

    var writer: Writer<Root> {
        get throws(SessionError) {
            guard let optionalWriter else { throw .readOnly }
            return optionalWriter
        }
    }

    /// The status of the session's file, reports about it, and counters.
    public var mirror: FileMirror {
        switch source {
        case .file(let synchronizer, _): FileMirror(.file(synchronizer, dispatcher))
        case .memory(_, let status), .constant(let status): FileMirror(.memory(status))
        }
    }
}

extension Session {
    static func absolutePath(_ path: String, _ options: SessionOptions) throws(SessionError) -> String {
        do throws(FileWatchError) {
            return try AbsolutePath.of(path)
        } catch {
            // Reading the file will report what is wrong.
            if case .off = options.watching, !path.isEmpty { return path }
            throw SessionError(.cannotWatch, "\(error)", underlying: error)
        }
    }

    static func encoded(
        _ defaults: Root, _ options: SessionOptions, _ check: ((Root) throws -> Void)?
    ) throws(SessionError) -> JSON {
        do {
            try check?(defaults)
            return try JSONValueEncoder(conversions: options.conversions).encode(defaults)
        } catch {
            let tree = try? JSONValueEncoder(conversions: options.conversions).encode(defaults)
            let reason = tree.map { options.secrets.redacting("\(error)", in: $0) } ?? "\(error)"
            throw SessionError(.unusableDefaults, "the defaults cannot be used: \(reason)", underlying: error)
        }
    }
}
