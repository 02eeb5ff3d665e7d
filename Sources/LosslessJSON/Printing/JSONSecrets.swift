/// The paths of values that must not appear in messages and logs.
///
/// ```swift
/// let secrets: JSONSecrets = ["database.password", "tenants.*.token"]
/// print(secrets.redacting(json))          // {"database":{"host":"db","password":"<redacted>"},…}
/// ```
///
/// Everything inside a secret container is secret. `null` is shown, because it reveals nothing. A string, number or
/// Boolean in the place of a container that could have a secret counts as a secret, too: `"database": "hunter2"`.
public struct JSONSecrets: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// What is shown instead of a secret: `"<redacted>"`.
    public static var placeholder: JSON { "<redacted>" }

    private let patterns: [JSONPathPattern]

    /// Creates the secrets that `patterns` match.
    public init(_ patterns: some Sequence<JSONPathPattern>) { self.patterns = Array(patterns) }

    /// Creates the secrets that `patterns` match.
    public init(arrayLiteral patterns: JSONPathPattern...) { self.init(patterns) }

    /// Whether there are none.
    public var isEmpty: Bool { patterns.isEmpty }

    /// Whether the value at a path is a secret or part of one.
    public func contains(_ path: JSONPointer) -> Bool { patterns.contains { $0.matchesPrefix(of: path) } }

    /// Returns the value with every secret replaced by ``placeholder``.
    ///
    /// - Parameters:
    ///   - value: A whole value, or the part of one at `path`.
    ///   - path: The path of `value`.
    public func redacting(_ value: JSON, at path: JSONPointer = JSONPointer()) -> JSON {
        if patterns.isEmpty { return value }
        if contains(path) { return value.isNull ? value : JSONSecrets.placeholder }
        return patterns.reduce(value) { value, pattern in
            pattern.rest(after: path).map { JSONSecrets.redacting(value, $0) } ?? value
        }
    }

    /// Returns the change with every secret replaced by ``placeholder`` on both sides.
    public func redacting(_ change: JSONChange) -> JSONChange {
        JSONChange(
            at: change.path, from: change.old.map { redacting($0, at: change.path) },
            to: change.new.map { redacting($0, at: change.path) })
    }

    /// Returns the conflict with every secret replaced by ``placeholder`` in all three values.
    public func redacting(_ conflict: JSONConflict) -> JSONConflict {
        let redacted = { (value: JSON) in redacting(value, at: conflict.path) }
        return JSONConflict(
            path: conflict.path, base: conflict.base.map(redacted), ours: conflict.ours.map(redacted),
            theirs: conflict.theirs.map(redacted))
    }

    /// - Parameter tokens: The rest of a pattern, from `value` on.
    private static func redacting(_ value: JSON, _ tokens: ArraySlice<JSONPathPattern.Token>) -> JSON {
        if value.isNull { return value }
        guard let token = tokens.first else { return placeholder }
        let rest = tokens.dropFirst()
        switch (value, token) {
        case (.object(let members), .any):
            return .object(JSONObject(members.lazy.map { ($0.key, redacting($0.value, rest)) }))
        case (.object(var members), .name(let key)):
            guard let member = members[key] else { return value }
            members[key] = redacting(member, rest)
            return .object(members)
        case (.array(let elements), .any): return .array(JSONArray(elements.lazy.map { redacting($0, rest) }))
        case (.array(var elements), .name(let name)):
            guard let index = JSONPointer.index(name), index < elements.count else { return value }
            elements[index] = redacting(elements[index], rest)
            return .array(elements)
        default: return placeholder
        }
    }
}

extension JSONPathPattern {
    /// The tokens that follow after a path; nil if the pattern denotes nothing inside of the value there.
    fileprivate func rest(after path: JSONPointer) -> ArraySlice<Token>? {
        let tokens = tokens
        guard path.tokens.count < tokens.count else { return nil }
        for (token, key) in zip(tokens, path.tokens) {
            if case .name(let name) = token, !name.utf8.elementsEqual(key.utf8) { return nil }
        }
        return tokens[path.tokens.count...]
    }
}
