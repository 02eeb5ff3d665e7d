import LosslessJSON
import SessionMirror

/// Changes single values of the settings, for people who have seen an earlier value.
struct SettingsEditor: Sendable {
    /// Why a value was not changed.
    enum Rejection: Error {
        /// Somebody else has changed it; with the value now, nil if there is none.
        case conflict(JSON?)
        /// The value has the wrong type or makes no sense, or there is no place for it.
        case invalid(String)
    }

    let session: Session<Settings>
    private let encoder = JSONValueEncoder(conversions: .standard)
    private let decoder = JSONValueDecoder(conversions: .standard)

    init(_ session: Session<Settings>) { self.session = session }

    /// All values: those of the program, with the defaults that the file leaves out, and what only the file has.
    static func values(_ snapshot: Snapshot<Settings>) -> JSON {
        let known = try? JSONValueEncoder(conversions: .standard).encode(snapshot.value)
        return adding(snapshot.json, to: known ?? .object([:]))
    }

    private static func adding(_ file: JSON, to known: JSON) -> JSON {
        guard case .object(var members) = known, let others = file.object else { return known }
        for (key, value) in others {
            members[key] = members[key].map { adding(value, to: $0) } ?? value
        }
        return .object(members)
    }

    /// The paths of the values that the file leaves out; of nested ones, the outermost.
    static func defaults(of values: JSON, in file: JSON?, at path: JSONPointer = JSONPointer()) -> [JSONPointer] {
        guard let file else { return [path] }
        guard let members = values.object else { return [] }
        return members.flatMap { defaults(of: $0.value, in: file[$0.key], at: path.appending($0.key)) }
    }

    /// Sets a value, or removes it from the file, if it is still the one that was seen.
    ///
    /// - Parameter seen: The value that the person saw, with secrets redacted.
    func set(_ path: JSONPointer, to value: JSON?, seen: JSON?) throws(Rejection) {
        do {
            guard let value, !path.tokens.isEmpty, Self.isKnown(path, session.snapshot) else {
                try require(seen, at: path, in: Self.values(session.snapshot))
                return try session.set(path, to: value)
            }
            try session.update { settings in
                let current = try encoder.encode(settings)
                try require(seen, at: path, in: current)
                let defaults = try encoder.encode(Settings())
                settings = try decoder.decode(Settings.self, from: current.setting(path, to: value), defaults: defaults)
                // What the type does not have is left out.
                if try encoder.encode(settings)[at: path] == nil, !value.isNull {
                    throw Rejection.invalid("the settings have no \(path.dotted)")
                }
            }
        } catch let rejection as Rejection {
            throw rejection
        } catch let error as JSONCodingError {
            throw .invalid(error.message)
        } catch {
            throw .invalid("\(error)")
        }
    }

    /// Whether the type has a value at a path, or a dictionary that could.
    private static func isKnown(_ path: JSONPointer, _ snapshot: Snapshot<Settings>) -> Bool {
        guard let known = try? JSONValueEncoder(conversions: .standard).encode(snapshot.value) else { return false }
        if known[at: path] != nil { return true }
        return snapshot.json[at: path] == nil
    }

    private func require(_ seen: JSON?, at path: JSONPointer, in values: JSON) throws(Rejection) {
        let current = values[at: path].map { Settings.secrets.redacting($0, at: path) }
        if current != seen { throw .conflict(current) }
    }
}
