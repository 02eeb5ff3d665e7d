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
/// try session.update { $0.port = 9090 }                       // visible at once, saved soon
/// try await session.commit { $0.port += 1 }                   // through to the disk, across processes
/// try session.close()                                         // saves what is pending
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

    /// Where the value comes from, and who changes it.
    enum Source: Sendable {
        case file(Mirroring, Writer<Root>?)
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
        let coding = Coding(
            conversions: options.conversions, defaults: try Session.encoded(defaults, options, check))
        let published = Published(Edition(defaults, version: .first, origin: .initial, source: .nothing))
        let bulletin = Bulletin(published)
        let mirroring: Mirroring
        do throws(FileWatchError) {
            mirroring = Mirroring(
                path, DurableFile(try AbsolutePath.of(path)), options, CheckedDecoding(coding: coding, check: check),
                published: published, bulletin: bulletin)
            try mirroring.open()
        } catch {
            throw SessionError(.cannotWatch, "\(error)", underlying: error)
        }
        let writer = Writer(published, bulletin, to: .file(mirroring), coding: coding, check: check)
        self.init(published, bulletin, .file(mirroring, options.isReadOnly ? nil : writer))
    }

    /// A session without a file, for tests and for programs that are given none: changed by the program only.
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

    deinit {
        // The child of a fork must not touch what is its parent's, nor wait for locks that nobody will give back.
        if Forking.madeThisProcess { return }
        switch source {
        case .file(let mirroring, let writer):
            writer?.close()
            mirroring.release()
        case .memory(let writer): writer.close()
        case .constant: break
        }
        bulletin.end()
    }

    /// Saves what is pending and ends the watching: the value stays as it is. What was published before is still brought to
    /// those who listen, then loops over changes end.
    ///
    /// The thread waits until the disk has everything. If that cannot be, this throws and the session stays open, so that
    /// nothing is lost. The last release closes the session too, saves in the background, and can tell nobody when that
    /// does not work.
    ///
    /// Closing inside `read`, or inside a change of the same session, is a mistake of the program and traps.
    ///
    /// - Throws: The ``Problem`` that hinders saving.
    public func close() throws {
        if Forking.madeThisProcess { return }
        switch source {
        case .file(let mirroring, let writer):
            try writer?.closeSaving()
            precondition(!Reading.isGoingOn, "close inside read of a session")
            mirroring.close()
        case .memory(let writer):
            writer.requireOutside("close")
            writer.close()
        case .constant: break
        }
        bulletin.end()
    }

    /// Who changes the value, if anybody may.
    var changer: Writer<Root>? {
        switch source {
        case .file(_, let writer): writer
        case .memory(let writer): writer
        case .constant: nil
        }
    }

    var writer: Writer<Root> {
        get throws(SessionError) {
            guard let changer else { throw .readOnly }
            return changer
        }
    }

    /// What goes on between the session and its file.
    public var mirror: FileMirror {
        switch source {
        case .file(let mirroring, _): FileMirror(mirroring, bulletin.listeners)
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
