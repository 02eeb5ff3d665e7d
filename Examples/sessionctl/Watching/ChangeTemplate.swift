import LosslessJSON
import VisibleText

/// The template of `--format`: text with fields in braces.
struct ChangeTemplate {
    /// What a field stands for.
    enum Field: String, CaseIterable {
        case file, line, path, pointer, kind, old, new, version, time
    }

    private enum Segment {
        case text(String)
        case field(Field)
    }

    private let segments: [Segment]
    /// Whether strings are written without quotes.
    private let isRaw: Bool

    /// Parses a template. `{{` and `}}` are braces; `\n`, `\t` and `\\` are a line end, a tab and a backslash.
    init(_ text: String, isRaw: Bool) throws(Failure) {
        self.isRaw = isRaw
        var segments: [Segment] = []
        var literal = String.UnicodeScalarView()
        // A brace before a combining character is a brace.
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "{" where rest.first == "{", "}" where rest.first == "}": literal.append(rest.removeFirst())
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw Self.mistake("a { has no }; write {{ for a brace")
                }
                segments += [.text(String(literal)), .field(try Self.field(Substring(rest[..<end])))]
                literal = .init()
                rest = rest[rest.index(after: end)...]
            case "}": throw Self.mistake("a } has no {; write }} for a brace")
            case "\\": literal.append(try Self.escaped(rest.popFirst()))
            default: literal.append(scalar)
            }
        }
        self.segments = segments + [.text(String(literal))]
    }

    /// The text for a change: the value of each field, nil for one without a value, which becomes empty.
    func text(_ value: (Field) -> JSON?) -> String {
        segments.map { segment in
            switch segment {
            case .text(let text): text
            case .field(let field): text(of: value(field), field)
            }
        }.joined()
    }

    private func text(of value: JSON?, _ field: Field) -> String {
        guard let value else { return "" }
        // The other fields are texts that have no quotes.
        if let string = value.string, isRaw || (field != .old && field != .new) { return string }
        return JSONPrinter(layout: .compact).string(value)
    }

    private static func field(_ name: Substring) throws(Failure) -> Field {
        if let field = Field(rawValue: String(name)) { return field }
        let names = Field.allCases.map(\.rawValue)
        let meant = NearestName(to: String(name)).among(names, limit: 1).map { "; did you mean {\($0)}?" }.first
        throw mistake(
            "{\(name.description.visible(upTo: 60))} is no field\(meant ?? "; fields: \(names.joined(separator: ", "))")"
        )
    }

    private static func escaped(_ scalar: Unicode.Scalar?) throws(Failure) -> Unicode.Scalar {
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "\\": return "\\"
        default: throw mistake("a backslash needs n, t or another backslash after it")
        }
    }

    private static func mistake(_ text: String) -> Failure { .usageError("--format: \(text)") }
}
