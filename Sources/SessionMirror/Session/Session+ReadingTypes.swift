internal import Locking
public import LosslessJSON
internal import VisibleText

extension Session where Root == JSON {
    /// The current value of a member as a type; nil if there is none or it is null.
    ///
    /// ```swift
    /// let rating = session["rating", as: Int.self] ?? 3
    /// ```
    ///
    /// A type with one of the session's ``SessionOptions/conversions`` is decoded by it: `session["timeout", as:
    /// Duration.self]`.
    ///
    /// A value of another type is nil, too, and a warning of the file: see ``MirrorStatus/warnings``. A check that
    /// decodes the value with `JSON.value(_:at:conversions:defaults:)` rejects such a file instead.
    @inlinable
    public subscript<Value: Decodable>(_ key: String, as type: Value.Type) -> Value? {
        // Where the caller knows the type, the compiler removes the comparisons. Other types may have conversions.
        if Value.self == Int.self || Value.self == String.self || Value.self == Bool.self || Value.self == Double.self {
            let (value, isMissing) = snapshotCell.read { snapshot -> (Value?, Bool) in
                if let value = snapshot.root[key, as: type] { return (value, false) }
                return (nil, snapshot.root[key]?.isNull ?? true)
            }
            if value != nil || isMissing { return value }
        }
        return valueOrMismatch(at: JSONPointer([key]), as: type)
    }

    /// The current value at a pointer as a type; nil if there is none or it is null.
    public subscript<Value: Decodable>(at pointer: JSONPointer, as type: Value.Type) -> Value? {
        valueOrMismatch(at: pointer, as: type)
    }

    @usableFromInline
    func valueOrMismatch<Value: Decodable>(at pointer: JSONPointer, as type: Value.Type) -> Value? {
        let snapshot = snapshotCell.current
        do throws(JSONCodingError) {
            return try snapshot.root.value(type, at: pointer, conversions: conversions)
        } catch {
            reportMismatch(error, in: snapshot)
            return nil
        }
    }
}

extension Session {
    /// Returns the warning about a value that the program reads as another type.
    package func mismatch(_ error: JSONCodingError, in snapshot: AnySnapshotStorage) -> SessionProblem? {
        // If the value is missing, its container has the wrong type.
        guard let (path, found) = snapshot.json.nearestValue(to: error.path) else { return nil }
        return SessionProblem(
            .mismatch(found: found), in: mirror.path ?? MemoryStatus.fileName, at: path,
            secrets.redacting(error, in: snapshot.json, document(having: found, at: path) ?? snapshot.document))
    }

    /// The text of the file, if it has a value at a path. The layout may have changed since the value did.
    private func document(having value: JSON, at path: JSONPointer) -> JSONDocument? {
        guard case .file(let synchronizer, _) = source, !ForkHandling.isForkedChild,
            let document = synchronizer.state.withLock({ $0.syncBase.document }), document.value[at: path] == value
        else { return nil }
        return document
    }

    /// Returns a warning if a pointer leads through a value that is not an object.
    package func obstacle(to pointer: JSONPointer, in snapshot: AnySnapshotStorage) -> SessionProblem? {
        guard let (path, found) = snapshot.json.nearestValue(to: pointer), path != pointer, found.object == nil,
            found.array == nil
        else { return nil }
        return SessionProblem(
            .mismatch(found: found), in: mirror.path ?? MemoryStatus.fileName, at: path,
            "\(path.subject) must be an object with \"\(pointer.tokens[path.tokens.count].visible(upTo: 100))\"",
            location: (document(having: found, at: path) ?? snapshot.document)?.location(of: path))
    }

    package func reportMismatch(_ error: JSONCodingError, in snapshot: AnySnapshotStorage) {
        if let problem = mismatch(error, in: snapshot) { addLater(problem, of: snapshot) }
    }

    package func reportObstacle(to pointer: JSONPointer, in snapshot: AnySnapshotStorage) {
        if let problem = obstacle(to: pointer, in: snapshot) { addLater(problem, of: snapshot) }
    }

    /// Returns at once, because the caller may be in a callback or in a change of the session.
    private func addLater(_ problem: SessionProblem, of snapshot: AnySnapshotStorage) {
        // After a fork, a lock that another thread of the parent held stays locked forever.
        if ForkHandling.isForkedChild { return }
        switch source {
        case .constant: break
        case .memory(_, let status): ThreadPool.shared.run { status.addOnce(problem) }
        case .file(let synchronizer, _):
            // A program may read the value all the time.
            if synchronizer.state.withLock({ $0.status.warnings.contains(problem) }) { return }
            synchronizer.pool.run { synchronizer.add(mismatch: problem, of: snapshot) }
        }
    }
}

extension FileSynchronizer {
    /// Adds a warning about a value of a snapshot to the status, unless the current version has another value there.
    fileprivate func add(mismatch problem: SessionProblem, of snapshot: AnySnapshotStorage) {
        let current = state.withLock { $0.snapshot }
        // Not under the lock, because the tree may have to be encoded.
        let isCurrent = current.version == snapshot.version || problem.isMismatch(in: current.json)
        if !isCurrent { return }
        var isOutdated = false
        process { state in
            isOutdated = state.snapshot.version != current.version && !state.isClosed
            return isOutdated ? [] : state.mismatchFound(problem)
        }
        // Later, because a program that changes values all the time would keep this thread busy.
        if isOutdated { pool.run(at: .now + .milliseconds(10)) { self.add(mismatch: problem, of: current) } }
    }
}

extension JSONSecrets {
    /// The error with its location, if there is a document with the value.
    fileprivate func redacting(
        _ error: JSONCodingError, in tree: JSON, _ document: JSONDocument?
    ) -> JSONCodingError {
        if let document { return redacting(document.locating(error), in: document) }
        return redacting(error, in: tree)
    }
}

extension JSON {
    /// The value at a path, or at the longest part of it that has one.
    fileprivate func nearestValue(to path: JSONPointer) -> (path: JSONPointer, value: JSON)? {
        for count in path.tokens.indices.reversed().map({ $0 + 1 }) + [0] {
            let nearest = JSONPointer(Array(path.tokens[..<count]))
            if let value = self[at: nearest] { return (nearest, value) }
        }
        return nil
    }
}
