internal import DurableFiles
internal import FileWatching
internal import LosslessJSON

/// A value in memory that is what a JSON file says, while people and programs edit the file.
///
/// ```swift
/// struct Server: Codable, Sendable {
///     var port = 8080
///     var greeting = "hello"
/// }
///
/// let session = try Session(Server(), at: "server.json")      // defaults; the file need not exist
/// session.port                                                // the latest value
/// session.read { ($0.port, $0.greeting) }                     // several values of one version
/// let token = session.observe(\.port) { print($0.new) }
/// ```
///
/// Reading never locks and never waits: reading a number, a flag or an enum through a literal key path takes about two
/// nanoseconds, allocates nothing and counts no reference. Handing out a string or an array counts one. A change of the
/// file is read, decoded and published on a thread of the library's own, as one new version; versions that are still
/// read stay whole.
///
/// A file that cannot be used changes nothing: the last good value stays, and ``mirror`` tells what is wrong and where.
///
/// One session of a file is enough for a process; share it. A property of the value whose name a member of `Session`
/// hides is reached by `session[\.name]`.
@dynamicMemberLookup
public final class Session<Root: Codable & Sendable>: Sendable {
    @usableFromInline let published: Published<Edition<Root>>
    let bulletin: Bulletin
    let source: Source

    /// Where the value comes from.
    enum Source: Sendable {
        case file(Mirroring)
        case memory(Writer<Root>)
        case constant
    }

    /// Mirrors the file at `path`, which need not exist: `defaults` give what it leaves out.
    ///
    /// When this returns the file was read, and every change from then on is noticed. A file that cannot be used is not an
    /// error here: the session serves the defaults, its ``FileMirror/status`` says what is wrong, and it goes on watching.
    ///
    /// - Parameters:
    ///   - defaults: What the file leaves out, and all there is as long as there is no file.
    ///   - path: The file; a relative path is taken from the current folder of now.
    ///   - options: How the file is treated.
    ///   - check: Refuses a value by throwing, best a ``Refusal``. Runs on any thread, for each new content of the file.
    /// - Throws: A ``SessionError`` if the path cannot be watched, the defaults are no use, or this process is the child of
    ///   one that had sessions.
    public convenience init(
        _ defaults: Root, at path: String, options: SessionOptions = SessionOptions(),
        check: (@Sendable (Root) throws -> Void)? = nil
    ) throws(SessionError) {
        if Forking.madeThisProcess { throw .forked }
        let defaultJSON = try Session.encoded(defaults, options, check)
        let published = Published(Edition(defaults, version: .first, origin: .initial, source: .nothing))
        let bulletin = Bulletin(published)
        let mirroring: Mirroring
        do throws(FileWatchError) {
            let look = FileLook(
                path: path, file: DurableFile(try AbsolutePath.of(path)), parsing: options.parsing,
                understanding: CheckedDecoding(
                    decoder: JSONValueDecoder(conversions: options.conversions), defaults: defaultJSON, check: check))
            mirroring = Mirroring(
                look, patience: .init(quiet: options.settlingTime, limit: options.settlingLimit),
                published: published, bulletin: bulletin)
            try mirroring.open()
        } catch {
            throw SessionError(.cannotWatch, "\(error)", underlying: error)
        }
        self.init(published, bulletin, .file(mirroring))
    }

    /// A session without a file, for tests and for programs that are given none: changed by ``update(_:)`` only.
    public convenience init(inMemory value: Root) {
        let published = Published(Edition(value, version: .first, origin: .initial, source: .value(.standard)))
        let bulletin = Bulletin(published)
        self.init(published, bulletin, .memory(Writer(published, bulletin)))
    }

    /// A session that never changes, for tests and for code that wants one.
    public convenience init(constant value: Root) {
        let published = Published(Edition(value, version: .first, origin: .initial, source: .value(.standard)))
        self.init(published, Bulletin(published), .constant)
    }

    private init(_ published: Published<Edition<Root>>, _ bulletin: Bulletin, _ source: Source) {
        self.published = published
        self.bulletin = bulletin
        self.source = source
    }

    deinit { end() }

    /// Ends the watching: the value stays as it is. What was published before is still brought to those who listen, then
    /// loops over changes end.
    ///
    /// The last release does the same. Closing inside `read` is a mistake of the program and traps.
    ///
    /// - Throws: A ``SessionError`` if what is pending cannot be saved. So far nothing can be pending.
    public func close() throws(SessionError) {
        precondition(!Reading.isGoingOn, "a session cannot be closed inside read")
        end()
    }

    private func end() {
        // The child of a fork must not touch what is its parent's, nor wait for locks that nobody will give back.
        if Forking.madeThisProcess { return }
        switch source {
        case .file(let mirroring): mirroring.close()
        case .memory(let writer): writer.close()
        case .constant: break
        }
        bulletin.end()
    }

    /// What goes on between the session and its file.
    public var mirror: FileMirror {
        switch source {
        case .file(let mirroring): FileMirror(mirroring, bulletin.listeners)
        case .memory, .constant: FileMirror(nil, bulletin.listeners)
        }
    }
}

extension Session {
    private static func encoded(
        _ defaults: Root, _ options: SessionOptions, _ check: ((Root) throws -> Void)?
    ) throws(SessionError) -> JSON {
        do {
            try check?(defaults)
            return try JSONValueEncoder(conversions: options.conversions).encode(defaults)
        } catch {
            throw SessionError(.unusableDefaults, "the defaults cannot be used: \(error)", underlying: error)
        }
    }
}
