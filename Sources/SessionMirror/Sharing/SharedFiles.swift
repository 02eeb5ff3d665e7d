internal import DurableFiles
internal import Glibc
internal import Locking
internal import LosslessJSON

/// The files that sessions of several types share, with one watch and one saver each.
///
/// Each type gets one session of a file, with its own defaults, check and problems. A change made through one is
/// visible through the others at once.
package final class SharedFiles: Sendable {
    package static let shared = SharedFiles()

    private struct Entry {
        weak var synchronizer: FileSynchronizer?
        var sessions: [ObjectIdentifier: WeakSession] = [:]

        /// The synchronizer; nil after its last session was closed.
        var openSynchronizer: FileSynchronizer? {
            guard let synchronizer, !synchronizer.dispatchers.isClosed else { return nil }
            return synchronizer
        }

        /// The session of a type, unless it was closed.
        func openSession<Root>(_ type: Root.Type) -> Session<Root>? {
            guard let session = sessions[ObjectIdentifier(type)]?.session as? Session<Root>,
                let synchronizer, synchronizer.dispatchers.contains(session.dispatcher)
            else { return nil }
            return session
        }
    }

    private struct WeakSession {
        weak var session: AnyObject?
    }

    private let entries = Lock<[String: Entry]>([:])

    /// Returns the session of a file and a type, opened at the first call. The options that concern the file are those
    /// of the file's first session; missing directories and an invalid file are no errors.
    package func session<Root: Codable & Sendable>(
        _ defaults: Root, at path: String, options: SessionOptions, check: (@Sendable (Root) throws -> Void)?
    ) throws(SessionError) -> Session<Root> {
        if ForkHandling.isForkedChild { throw .forked }
        let path = try Session<Root>.absolutePath(path, options)
        let key = CanonicalPath.of(path)
        if let known = known(key, Root.self) { return known }
        // Not under the lock: opening reads the file, and decoding it may access other sessions.
        let coder = RootCoder(
            conversions: options.conversions, defaults: try Session.encoded(defaults, options, check))
        while true {
            let synchronizer = try synchronizer(of: key, at: path, options)
            if let session = Session(defaults, sharing: synchronizer, coder, options, check) {
                return add(session, as: key)
            }
        }
    }

    private func known<Root>(_ key: String, _ type: Root.Type) -> Session<Root>? {
        entries.withLock { $0[key]?.openSession(type) }
    }

    /// Adds a session. If another thread has opened the same file meanwhile, returns its session instead.
    private func add<Root>(_ session: Session<Root>, as key: String) -> Session<Root> {
        entries.withLock { entries in
            if let first = entries[key]?.openSession(Root.self) { return first }
            entries[key]?.sessions[ObjectIdentifier(Root.self)] = WeakSession(session: session)
            return session
        }
    }

    /// The open synchronizer of a file.
    private func synchronizer(
        of key: String, at path: String, _ options: SessionOptions
    ) throws(SessionError) -> FileSynchronizer {
        if let known = entries.withLock({ $0[key]?.openSynchronizer }) { return known }
        let new = FileSynchronizer(sharing: path, options)
        try ThreadPool.blocking { () throws(SessionError) in try new.open() }
        let first = entries.withLock { entries in
            if let known = entries[key]?.openSynchronizer { return known }
            entries = entries.filter { $0.value.openSynchronizer != nil }
            entries[key] = Entry(synchronizer: new)
            return new
        }
        if first !== new { new.close() }
        return first
    }
}

extension FileSynchronizer {
    /// Creates the synchronizer of a file whose sessions are added by ``join(_:)``.
    fileprivate convenience init(sharing path: String, _ options: SessionOptions) {
        var options = options
        options.start = .useDefaults
        options.replacing.createsDirectories = true
        let dispatchers = DispatcherList()
        self.init(
            path, DurableFile(path), options, SharedDecoder(dispatchers: dispatchers, secrets: options.secrets),
            defaults: SnapshotStorage<JSON>(.object([:]), version: .first, origin: .initial, source: .nothing),
            dispatchers: dispatchers)
    }
}

extension Session {
    /// Adds a session to a shared file; nil if the file was closed meanwhile.
    fileprivate convenience init?(
        _ defaults: Root, sharing synchronizer: FileSynchronizer, _ coder: RootCoder, _ options: SessionOptions,
        _ check: (@Sendable (Root) throws -> Void)?
    ) {
        let cell = SharedCell(
            SnapshotStorage(defaults, version: .first, origin: .initial, source: .nothing),
            ValidatingDecoder(coder: coder, check: check, unknownKeys: options.unknownKeys, secrets: options.secrets),
            of: synchronizer)
        let dispatcher = ChangeDispatcher(cell, unobservedProblems: options.unobservedProblems)
        let isFirst = synchronizer.dispatchers.all.isEmpty
        guard synchronizer.join(dispatcher) else { return nil }
        cell.decode()
        if isFirst { synchronizer.addUnobserved(to: dispatcher) }
        let writer = Writer(cell, dispatcher, to: .file(synchronizer), coder: coder, check: check)
        self.init(cell, dispatcher, .file(synchronizer, options.isReadOnly ? nil : writer), options.conversions)
    }
}

/// The one path of a file that several paths lead to.
enum CanonicalPath {
    /// Resolves the symbolic links in the existing part of a path.
    static func of(_ path: String) -> String {
        var existing = path
        var missing = ""
        while !existing.isEmpty {
            if let resolved = realpath(existing, nil) {
                defer { free(resolved) }
                let directory = String(cString: resolved)
                return directory == "/" ? "/" + missing.dropFirst() : directory + missing
            }
            guard let slash = existing.lastIndex(of: "/") else { break }
            missing = existing[slash...] + missing
            existing = String(existing[..<slash])
        }
        // Of a path without an existing directory, either the beginning or the working directory is the root.
        guard path.utf8.first != UInt8(ascii: "/"), let directory = realpath(".", nil) else { return path }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }
}
