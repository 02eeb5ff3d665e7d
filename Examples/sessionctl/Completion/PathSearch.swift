import LosslessJSON

/// Finds the paths in a value that begin with a text.
///
/// A path is completed key by key: after a key that leads to an object or an array, its dot or slash follows. Keys that
/// the dotted form cannot express are offered in the form of RFC 6901, and replace a dotted beginning if nothing else
/// matches.
struct PathSearch {
    let root: JSON
    /// Whether an asterisk stands for every key.
    let isPattern: Bool
    /// Whether an equals sign follows a path.
    let isAssigned: Bool

    func candidates(for typed: String) -> [Candidate] {
        if typed.hasPrefix("/") {
            let (parent, name) = split(typed, at: typed.lastIndex(of: "/")!)  // it begins with one
            return children(parent).filter { escaped($0.key).hasPrefix(name) }.map {
                candidate("\(parent)/\(escaped($0.key))", $0.value, separator: "/")
            }
        }
        let dotted = dottedCandidates(typed)
        return dotted.isEmpty || typed.isEmpty ? dotted + pointerCandidates(typed) : dotted
    }

    private func dottedCandidates(_ typed: String) -> [Candidate] {
        let (parent, name) = typed.lastIndex(of: ".").map { split(typed, at: $0) } ?? ("", typed)
        if parent.isEmpty, typed.hasPrefix(".") { return [] }
        return children(parent).filter { hasDottedForm($0.key, isFirst: parent.isEmpty) && $0.key.hasPrefix(name) }.map
        {
            candidate(parent.isEmpty ? $0.key : "\(parent).\($0.key)", $0.value, separator: ".")
        }
    }

    /// The paths in the form of RFC 6901, where a dotted beginning is `typed`. A key may contain any of its dots.
    private func pointerCandidates(_ typed: String) -> [Candidate] {
        let splits = [("", typed)] + typed.indices.dropFirst().filter { typed[$0] == "." }.map { split(typed, at: $0) }
        return splits.flatMap { parent, name -> [Candidate] in
            guard let pattern = try? JSONPathPattern(parsing: parent) else { return [] }
            return children(parent).filter {
                !hasDottedForm($0.key, isFirst: parent.isEmpty) && $0.key.hasPrefix(name)
            }.map { candidate("\(pattern)/\(escaped($0.key))", $0.value, separator: "/") }
        }
    }

    private func split(_ text: String, at index: String.Index) -> (parent: String, name: String) {
        (String(text[..<index]), String(text[text.index(after: index)...]))
    }

    /// The members or elements of the value at a path, or of all values that a pattern denotes.
    private func children(_ parent: String) -> [(key: String, value: JSON)] {
        let paths =
            isPattern
            ? (try? JSONPathPattern(parsing: parent))?.paths(in: root) ?? []
            : (try? JSONPointer(parsing: parent)).map { [$0] } ?? []
        var keys: Set<String> = []
        return paths.flatMap { path -> [(key: String, value: JSON)] in
            switch root[at: path] {
            case .object(let object): object.map { ($0.key, $0.value) }
            case .array(let array): array.enumerated().map { ("\($0.offset)", $0.element) }
            default: []
            }
        }.filter { paths.count == 1 || keys.insert($0.key).inserted }
    }

    private func candidate(_ path: String, _ value: JSON, separator: String) -> Candidate {
        let isContainer =
            switch value {
            case .object(let object): !object.isEmpty
            case .array(let array): !array.isEmpty
            default: false
            }
        let ending = isContainer ? separator : isAssigned ? "=" : ""
        return Candidate(text: path + ending, note: value.kind, isPartial: !ending.isEmpty)
    }

    /// Whether the dotted form can express a key. A dash at its start would make it an option.
    private func hasDottedForm(_ key: String, isFirst: Bool) -> Bool {
        !key.isEmpty && !key.contains(".") && key != "*" && !(isFirst && (key.hasPrefix("/") || key.hasPrefix("-")))
    }

    /// A key in the form of RFC 6901.
    private func escaped(_ key: String) -> String {
        isPattern && key == "*" ? "~2" : String(JSONPointer([key]).description.dropFirst())
    }
}
