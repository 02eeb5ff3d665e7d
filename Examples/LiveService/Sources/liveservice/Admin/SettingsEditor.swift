import LosslessJSON
import SessionMirror
import Synchronization

/// Changes single values of the settings, for people who have seen an earlier value.
final class SettingsEditor: Sendable {
    /// The reason why a value was not changed.
    enum Rejection: Error {
        /// The value was changed meanwhile. Has the current value, without secrets; nil if there is none.
        case conflict(JSON?)
        /// The value has the wrong type or is invalid, or the settings have no such path.
        case invalid(String)
    }

    private let session: Session<Settings>
    /// Held during a change, because some changes check and set in two steps.
    private let isChanging = Mutex(())

    init(_ session: Session<Settings>) { self.session = session }

    private static let encoder = JSONValueEncoder(conversions: .standard)

    private static let defaults = try? encoder.encode(Settings())

    static func settings(of tree: JSON) throws(JSONCodingError) -> Settings {
        try JSONValueDecoder(conversions: .standard).decode(Settings.self, from: tree, defaults: defaults)
    }

    /// Returns all values: those of the program, including defaults that the file leaves out, and values that only the
    /// file has. Also returns the paths of these defaults; of nested ones, the outermost.
    static func values(_ settings: Settings, _ file: JSON) -> (values: JSON, defaults: [JSONPointer]) {
        let known = try? encoder.encode(settings)
        let values = adding(file, to: known ?? .object([:]))
        return (values, defaults(of: values, in: file))
    }

    private static func adding(_ file: JSON, to known: JSON) -> JSON {
        guard case .object(var members) = known, let others = file.object else { return known }
        for (key, value) in others {
            members[key] = members[key].map { adding(value, to: $0) } ?? value
        }
        return .object(members)
    }

    private static func defaults(
        of values: JSON, in file: JSON?, at path: JSONPointer = JSONPointer()
    ) -> [JSONPointer] {
        guard let file else { return [path] }
        guard let members = values.object else { return [] }
        return members.flatMap { defaults(of: $0.value, in: file[$0.key], at: path.appending($0.key)) }
    }

    /// Sets a value, or removes it from the file, if it is still the one that was seen. Returns the new value, without
    /// secrets; nil if there is none.
    ///
    /// - Parameters:
    ///   - isSeen: Whether a value is the one that was seen.
    ///   - acceptsUnknown: Whether the file may get values that the type does not have.
    func set(
        _ path: JSONPointer, to value: JSON?, acceptsUnknown: Bool = false, if isSeen: (JSON?) -> Bool
    ) throws(Rejection) -> JSON? {
        let outcome = isChanging.withLock { _ in
            Result { () throws(Rejection) in try change(path, value, acceptsUnknown, isSeen) }
        }
        try outcome.get()
        let (values, _) = Self.values(session.snapshot.value, session.snapshot.json)
        return values[at: path].map { Settings.secrets.redacting($0, at: path) }
    }

    private func change(
        _ path: JSONPointer, _ value: JSON?, _ acceptsUnknown: Bool, _ isSeen: (JSON?) -> Bool
    ) throws(Rejection) {
        do {
            if let value, try setKnown(path, to: value, isSeen) { return }
            let snapshot = session.snapshot
            let (values, _) = Self.values(snapshot.value, snapshot.json)
            guard value == nil || acceptsUnknown || snapshot.json[at: path] != nil else {
                throw Rejection.invalid("the settings have no \(path.dotted)")
            }
            try Self.require(isSeen, at: path, in: values)
            try session.set(path, to: value)
        } catch let rejection as Rejection {
            throw rejection
        } catch let error as JSONCodingError {
            throw .invalid(error.message)
        } catch {
            throw .invalid("\(error)")
        }
    }

    /// Sets a value of the type, in one step. Returns false if the type has none at this path.
    private func setKnown(_ path: JSONPointer, to value: JSON, _ isSeen: (JSON?) -> Bool) throws -> Bool {
        try session.update { settings in
            let current = try Self.encoder.encode(settings)
            guard let tree = try? current.setting(path, to: value) else { return false }
            let new = try Self.settings(of: tree)
            // Encoding leaves out values that the type does not have.
            if try Self.encoder.encode(new)[at: path] == nil, !value.isNull { return false }
            try Self.require(isSeen, at: path, in: current)
            settings = new
            return true
        }
    }

    private static func require(_ isSeen: (JSON?) -> Bool, at path: JSONPointer, in values: JSON) throws(Rejection) {
        let current = values[at: path]
        if !isSeen(current) { throw .conflict(current.map { Settings.secrets.redacting($0, at: path) }) }
    }
}
