internal import Glibc
internal import Locking
internal import SessionMirror

/// The sessions of standard locations: one for each file and type.
final class SessionRegistry: Sendable {
    static let shared = SessionRegistry()

    private struct Key: Hashable {
        let path: String
        let type: ObjectIdentifier
    }

    private struct WeakSession {
        weak var session: AnyObject?
    }

    private let sessions = Lock<[Key: WeakSession]>([:])

    /// Returns the session of a file, opened at the first call. If it cannot be opened, it is in memory, with the error in its
    /// status.
    func session<Values: Codable & Sendable>(
        _ defaults: Values, at location: SessionLocation, _ options: SessionOptions,
        _ check: (@Sendable (Values) throws -> Void)?
    ) -> Session<Values> {
        var options = options
        options.start = .useDefaults
        options.replacing.createsDirectories = true
        let path: String
        do throws(SessionError) {
            path = try location.path()
        } catch {
            return Session(defaults, inMemoryBecause: error, options, check)
        }
        let key = Key(path: CanonicalPath.of(path), type: ObjectIdentifier(Values.self))
        if let known = known(key, Values.self) { return known }
        // Not under the lock: opening decodes the file, which may access other sessions.
        do throws(SessionError) {
            return add(try Session(defaults, at: path, options: options, check: check), as: key)
        } catch {
            return Session(defaults, inMemoryBecause: error, options, check)
        }
    }

    private func known<Values>(_ key: Key, _ type: Values.Type) -> Session<Values>? {
        sessions.withLock { $0[key]?.session as? Session<Values> }
    }

    /// Another thread may have opened the same file meanwhile. Then its session is the one.
    private func add<Values>(_ session: Session<Values>, as key: Key) -> Session<Values> {
        sessions.withLock { sessions in
            if let first = sessions[key]?.session as? Session<Values> { return first }
            sessions = sessions.filter { $0.value.session != nil }
            sessions[key] = WeakSession(session: session)
            return session
        }
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
