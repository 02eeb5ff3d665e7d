internal import Locking
internal import LosslessJSON
public import SessionMirror

/// A value of a session at a pointer, decoded once for each change, and shared by all wrappers with its type.
@usableFromInline
final class StoredCell<Value: Codable & Sendable>: Sendable {
    @usableFromInline let entry: DerivedCell<StoredEntry<Value>>
    let session: any AnySession
    let pointer: JSONPointer
    /// The encoded default, whose members complete an object of the file.
    private let defaults: JSON?

    /// The scene that the value belongs to, which the cell keeps open.
    private let scene: SceneUse?

    init(_ session: any AnySession, _ pointer: JSONPointer, default initial: Value, _ scene: SceneUse?) {
        (self.session, self.pointer, self.scene) = (session, pointer, scene)
        let defaults = try? JSONValueEncoder(conversions: session.conversions).encode(initial)
        self.defaults = defaults
        let conversions = session.conversions
        // Weak, because the last changes are delivered while the session is released.
        entry = session.derivedCell(from: .missing) { [weak session] snapshot, last in
            guard let node = snapshot.json[at: pointer], !node.isNull else {
                session?.reportObstacle(to: pointer, in: snapshot)
                return .missing
            }
            if let known = last.node, known.isIdentical(to: node) || known == node {
                return StoredEntry(value: last.value, node: node, error: last.error)
            }
            do throws(JSONCodingError) {
                let value: Value? = try snapshot.json.value(at: pointer, conversions: conversions, defaults: defaults)
                return StoredEntry(value: value, node: node, error: nil)
            } catch {
                session?.reportMismatch(error, in: snapshot)
                return StoredEntry(value: last.value, node: node, error: error)
            }
        }
    }

    /// The problem of the value in the file, with its location in the current text; nil if there is none.
    var problem: SessionProblem? {
        let snapshot = session.current
        let entry = entry.value(of: snapshot)
        if entry.node == nil { return session.obstacle(to: pointer, in: snapshot) }
        return entry.error.flatMap { session.mismatch($0, in: snapshot) }
    }

    /// Sets the value; nil removes it. An error becomes a problem of the file.
    @usableFromInline
    func set(_ value: Value?) {
        do {
            let next = try value.map(stored) ?? .missing
            let version = try session.edit { try recordingUse(in: $0.setting(next.node, at: pointer)) }
            entry.store(next, of: version)
        } catch {
            session.report(rejectedAssignment: error)
        }
    }

    /// Changes the value in one step. Returns or throws what `change` does; any other error becomes a problem of the
    /// file.
    func update<Result, Failure: Error>(
        default initial: Value, _ change: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        let latest = entry.read { copy $0 }
        var next = latest
        do {
            let version = try session.edit { tree in
                var value = value(in: tree, latest) ?? initial
                do throws(Failure) { outcome = .success(try change(&value)) } catch {
                    outcome = .failure(error)
                    throw error
                }
                next = try stored(value)
                return try recordingUse(in: tree.setting(next.node, at: pointer))
            }
            entry.store(next, of: version)
        } catch {
            if case .failure? = outcome {} else { session.report(rejectedAssignment: error) }
        }
        // A closed session, for example, does not begin the change.
        guard let outcome else {
            var value = latest.value ?? initial
            return try change(&value)
        }
        return try outcome.get()
    }

    private func recordingUse(in tree: JSON) -> JSON { scene?.recorded(in: tree) ?? tree }

    /// The value of a tree; the last usable one, if it cannot be decoded.
    private func value(in tree: JSON, _ latest: StoredEntry<Value>) -> Value? {
        guard let node = tree[at: pointer], !node.isNull else { return nil }
        if let known = latest.node, known.isIdentical(to: node) { return latest.value }
        let value = try? tree.value(Value.self, at: pointer, conversions: session.conversions, defaults: defaults)
        return value ?? latest.value
    }

    /// The entry for a new value; missing if the value is nil.
    private func stored(_ value: Value) throws -> StoredEntry<Value> {
        let node: JSON
        do throws(JSONCodingError) {
            node = try JSONValueEncoder(conversions: session.conversions).encode(value)
        } catch {
            throw error.moved(under: pointer)
        }
        return node.isNull ? .missing : StoredEntry(value: value, node: node, error: nil)
    }
}

extension JSON {
    fileprivate func setting(_ value: JSON?, at pointer: JSONPointer) throws -> JSON {
        if let value { return try setting(pointer, to: value) }
        guard self[at: pointer] != nil else { return self }
        return try removing(pointer)
    }
}

/// The cells of a session.
final class StoredCells: Sendable {
    private struct Key: Hashable {
        let pointer: JSONPointer
        let type: ObjectIdentifier
        /// Whether the cell keeps a scene open.
        let isOfScene: Bool
    }

    private let cells = WeakTable<Key, any AnyObject & Sendable>()

    private init(of session: any AnySession) { session.allowUnknownKeys() }

    /// Returns the cell of a pointer and a type, created at the first call.
    static func cell<Value>(
        _ session: any AnySession, _ pointer: JSONPointer, default initial: Value, _ scene: SceneUse?
    ) -> StoredCell<Value> {
        let cells = session.attachments.object(StoredCells.self) { StoredCells(of: session) }
        let key = Key(pointer: pointer, type: ObjectIdentifier(Value.self), isOfScene: scene != nil)
        // The default is encoded outside the lock of the table, because that runs user code.
        let cell = cells.cells[key] ?? cells.cells.add(StoredCell(session, pointer, default: initial, scene), as: key)
        return unsafeDowncast(cell, to: StoredCell<Value>.self)
    }
}

/// The entry of a file for a stored value.
@usableFromInline
struct StoredEntry<Value: Codable & Sendable>: Sendable {
    /// The value; nil if the file has none. If there is an error, the last usable value.
    @usableFromInline let value: Value?
    /// The node that the value or the error belongs to.
    let node: JSON?
    /// The decoding error of the node.
    let error: JSONCodingError?

    /// The entry of a file without the value.
    static var missing: StoredEntry { StoredEntry(value: nil, node: nil, error: nil) }
}
