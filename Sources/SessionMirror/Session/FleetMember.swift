internal import CLinux
internal import DurableFiles
internal import Glibc
internal import Locking
package import LosslessJSON

/// What the synchronization of a session with other machines needs, independent of the type of its value.
package protocol FleetMember: AnySession {
    /// The session's file, and how it is parsed and merged.
    ///
    /// Throws if the session has no file, or is read-only.
    var fileSettings: FileSettings { get throws }

    /// Changes the tree of the file in one step, through to the disk, as another program would.
    ///
    /// - Parameters:
    ///   - replacement: A text to write as it is, if the change results in its value.
    ///   - change: Returns the next tree. Called as the change of a commit is.
    func commit(replacingText replacement: TextReplacement?, _ change: @escaping @Sendable (JSON) throws -> JSON)
        async throws

    /// Returns why the session cannot use a text; nil if it can.
    ///
    /// - Parameter source: Where the text is, for the message.
    func problem(of document: JSONDocument, in source: String) -> SessionProblem?

    /// Returns why the session cannot use a tree; nil if it can.
    func problem(of tree: JSON) -> SessionProblem?

    /// The values that programs of this library wrote last into the file. They are meant, even if they are older ones.
    func intendedValues() -> IntendedValues

    /// Calls `body` after each change of the text that the session has loaded or saved, until `owner` ends that.
    func observeText(for owner: AnyObject, _ body: @escaping @Sendable () -> Void)
    func endObservingText(for owner: AnyObject)

    /// Sets the status of the synchronization with other machines.
    func setFleetStatus(_ status: FleetStatus?)

    /// Reports a problem that has no end.
    func report(_ problem: SessionProblem)
}

/// The file of a session, and how it is parsed and merged.
package struct FileSettings: Sendable {
    /// The path as passed to the session, for messages.
    package let name: String
    package let absolutePath: String
    package let parsing: JSONDocument.Options
    package let policy: ConflictPolicy
    package let arrays: JSONArrayRules
    package let secrets: JSONSecrets
    /// How long a value that was replaced is treated as stale.
    package let staleWriteWindow: Duration

    /// Returns the value to use in a conflict of this machine's value, ours, and one of elsewhere, theirs.
    package func resolve(_ conflict: JSONConflict) -> JSON? {
        switch policy {
        case .fileWins: conflict.theirs
        case .memoryWins: conflict.ours
        case .custom(let resolve): resolve(conflict)
        }
    }
}

/// The values that programs of this library wrote last into a file.
package struct IntendedValues {
    fileprivate let intents: WriteIntents

    package func contains(_ value: JSON?, at path: JSONPointer) -> Bool { intents.contains(value, at: path) }
}

extension Session: FleetMember {
    private var synchronizer: FileSynchronizer {
        get throws(SessionError) {
            guard case .file(let synchronizer, _) = source else {
                throw SessionError(.readOnly, "a session without a file cannot be shared with other machines")
            }
            return synchronizer
        }
    }

    private var openSynchronizer: FileSynchronizer? { try? synchronizer }

    package var fileSettings: FileSettings {
        get throws {
            _ = try writer
            let synchronizer = try synchronizer
            let (loader, reconciler) = (synchronizer.loader, synchronizer.loader.reconciler)
            return FileSettings(
                name: reconciler.file, absolutePath: loader.file.path, parsing: loader.parsing,
                policy: reconciler.policy, arrays: reconciler.arrays, secrets: reconciler.secrets,
                staleWriteWindow: synchronizer.state.withLock { $0.syncBase.ownWrites.limits.staleWriteWindow })
        }
    }

    package func commit(
        replacingText replacement: TextReplacement?, _ change: @escaping @Sendable (JSON) throws -> JSON
    ) async throws {
        try await writer.commit(replacement, change).value()
    }

    package func problem(of document: JSONDocument, in source: String) -> SessionProblem? {
        guard let decoder = openSynchronizer?.saveSettings.reconciler.decoder else { return nil }
        do throws(SessionProblem) {
            _ = try decoder.snapshot(of: document, in: source, version: .first, origin: .external)
            return nil
        } catch {
            return error
        }
    }

    package func problem(of tree: JSON) -> SessionProblem? {
        guard let reconciler = openSynchronizer?.saveSettings.reconciler else { return nil }
        do throws(SessionProblem) {
            _ = try reconciler.decoder.snapshot(of: tree, in: reconciler.file, version: .first, origin: .external)
            return nil
        } catch {
            return error
        }
    }

    package func intendedValues() -> IntendedValues {
        guard let synchronizer = openSynchronizer, let document = synchronizer.document else {
            return IntendedValues(intents: WriteIntents())
        }
        let file = open(synchronizer.loader.file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { if file >= 0 { Glibc.close(file) } }
        var attribute = [UInt8](repeating: 0, count: 256)
        let count = clinux_attribute(file, WriteIntents.attributeName, &attribute, attribute.count)
        return IntendedValues(
            intents: WriteIntents(count > 0 ? Array(attribute[..<count]) : nil, with: Digest(document.bytes)))
    }

    package func observeText(for owner: AnyObject, _ body: @escaping @Sendable () -> Void) {
        openSynchronizer?.documentObservers.withLock { $0[ObjectIdentifier(owner)] = body }
    }

    package func endObservingText(for owner: AnyObject) {
        // Released outside the lock.
        _ = openSynchronizer?.documentObservers.withLock { $0.removeValue(forKey: ObjectIdentifier(owner)) }
    }

    package func setFleetStatus(_ status: FleetStatus?) {
        openSynchronizer?.process { $0.fleetChanged(to: status) }
    }

    package func report(_ problem: SessionProblem) {
        openSynchronizer?.process { $0.reportWithoutRecovery(problem) }
    }
}

extension Session {
    /// Applies a change to the value of a text, without publishing or saving anything, and returns the tree that
    /// results.
    ///
    /// - Throws: The ``SessionProblem`` of a tree that `Root` rejects; the error of `change` or of the check.
    package func applying<Result>(
        _ change: (inout Root) throws -> Result, to tree: JSON
    ) throws -> (tree: JSON, result: Result) { try writer.applying(change, to: tree) }
}

extension Writer {
    /// Prepares a commit of a change of the tree, as made by another program.
    fileprivate func commit(
        _ replacement: TextReplacement?, _ change: @escaping @Sendable (JSON) throws -> JSON
    ) throws -> PendingCommit<Void> {
        if ForkHandling.isForkedChild { throw SessionError.forked }
        try requireOpen()
        guard case .file(let synchronizer) = destination else { throw SessionError.readOnly }
        let reconciler = synchronizer.saveSettings.reconciler
        return PendingCommit(
            ResultBox(()), on: synchronizer,
            { snapshot, version in
                let before = try snapshot.tree()
                let tree = try change(before)
                if tree.isSame(as: before) { return snapshot }
                return try reconciler.decoder.snapshot(
                    of: tree, in: reconciler.file, version: version, origin: .external)
            }, replacement)
    }

    fileprivate func applying<Result>(
        _ change: (inout Root) throws -> Result, to tree: JSON
    ) throws -> (tree: JSON, result: Result) {
        let root = try coder.decode(Root.self, from: tree)
        let snapshot = SnapshotStorage(root, version: .first, origin: .external, source: .tree(tree))
        var next: AnySnapshotStorage = snapshot
        let result = try changed(snapshot, .first, into: &next, change)
        return (try next.tree(), result)
    }
}
