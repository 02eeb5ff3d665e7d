/// A pattern for paths: a ``JSONPointer`` in which an asterisk stands for any one key or index.
///
/// ```swift
/// let hosts: JSONPathPattern = "tenants.*.hosts"        // or "/tenants/*/hosts"
/// hosts.matches("tenants.acme.hosts")                   // true
/// hosts.matches("tenants.acme.hosts.0")                 // false
/// hosts.matchesPrefix(of: "tenants.acme.hosts.0")       // true
/// ```
///
/// A pattern is written in either form of a pointer. An asterisk is special only as a whole token: `a*` is an ordinary
/// key. In the form of RFC 6901, `~2` stands for an asterisk in a key, so that `/~2` is the key `*`.
public struct JSONPathPattern: Sendable, Hashable {
    /// The tokens, some of which are asterisks.
    private let pointer: JSONPointer
    /// The positions of the tokens that stand for any key or index.
    private let wildcards: Set<Int>

    /// Creates a pattern that matches one path. A key `*` of that path is an ordinary key.
    public init(_ pointer: JSONPointer) { (self.pointer, wildcards) = (pointer, []) }

    /// Parses either form.
    ///
    /// - Throws: ``JSONPointerError``.
    public init(parsing text: String) throws(JSONPointerError) {
        let (parts, areEscaped) = try JSONPointer.parts(of: text)
        var tokens: [String] = []
        var wildcards: Set<Int> = []
        for (position, part) in parts.enumerated() {
            if part.elementsEqual("*".utf8) { wildcards.insert(position) }
            tokens.append(
                areEscaped
                    ? try JSONPointer.unescaped(part, of: text, inPattern: true)
                    : String(decoding: part, as: UTF8.self))
        }
        (pointer, self.wildcards) = (JSONPointer(tokens), wildcards)
    }

    /// What a token of the pattern stands for.
    enum Token {
        case any
        case name(String)
    }

    var tokens: [Token] {
        pointer.tokens.indices.map { wildcards.contains($0) ? .any : .name(pointer.tokens[$0]) }
    }

    /// The only path that the pattern denotes; nil if it has an asterisk.
    package var path: JSONPointer? { wildcards.isEmpty ? pointer : nil }

    /// The paths of the values in `root` that the pattern denotes, in the order of the text.
    package func paths(in root: JSON) -> [JSONPointer] {
        var found: [(tokens: [String], value: JSON)] = [([], root)]
        for token in tokens {
            found = found.flatMap { container -> [(tokens: [String], value: JSON)] in
                let names: [String] =
                    switch (token, container.value) {
                    case (.name(let name), _): [name]
                    case (.any, .object(let object)): Array(object.keys)
                    case (.any, .array(let array)): array.indices.map { "\($0)" }
                    case (.any, _): []
                    }
                return names.compactMap { name in
                    container.value[at: JSONPointer([name])].map { (container.tokens + [name], $0) }
                }
            }
        }
        return found.map { JSONPointer($0.tokens) }
    }

    /// Whether the pattern denotes the value at a path.
    public func matches(_ path: JSONPointer) -> Bool {
        path.tokens.count == pointer.tokens.count && matchesPrefix(of: path)
    }

    /// Whether the pattern denotes the value at a path or a container of it.
    public func matchesPrefix(of path: JSONPointer) -> Bool {
        guard path.tokens.count >= pointer.tokens.count else { return false }
        return pointer.tokens.indices.allSatisfy { position in
            wildcards.contains(position) || pointer.tokens[position].utf8.elementsEqual(path.tokens[position].utf8)
        }
    }
}

extension JSONPathPattern: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The form of RFC 6901.
    public var description: String {
        pointer.tokens.indices.map { position in
            let token = pointer.tokens[position]
            if wildcards.contains(position) { return "/*" }
            return token.utf8.elementsEqual("*".utf8) ? "/~2" : "/" + JSONPointer.escaped(token)
        }.joined()
    }

    /// Parses either form. Traps if the literal is not a pattern.
    public init(stringLiteral text: String) {
        do { try self.init(parsing: text) } catch { preconditionFailure(error.description) }
    }
}
