import LosslessJSON
import Testing

/// A text, edits, and the text that they make of it. The documentation shows them as its examples.
struct EditCase: Sendable, CustomTestStringConvertible {
    enum Edit: Sendable, CustomStringConvertible {
        case set(String, String)
        case add(String, String)
        case remove(String)

        var description: String {
            switch self {
            case .set(let path, let value): "\(path.isEmpty ? "the whole value" : path) becomes \(value)"
            case .add(let path, let value): "\(path) comes with \(value)"
            case .remove(let path): "\(path) goes"
            }
        }

        func change(of value: JSON) throws -> JSONChange {
            switch self {
            case .set(let path, let new):
                let path = try JSONPointer(parsing: path)
                return JSONChange(at: path, from: value[at: path], to: try JSON(parsing: new))
            case .add(let path, let new):
                return JSONChange(at: try JSONPointer(parsing: path), from: nil, to: try JSON(parsing: new))
            case .remove(let path):
                let path = try JSONPointer(parsing: path)
                return JSONChange(at: path, from: value[at: path], to: nil)
            }
        }
    }

    struct Group: Sendable {
        let title: String
        let cases: [EditCase]

        init(_ title: String, _ cases: [EditCase]) { (self.title, self.cases) = (title, cases) }
    }

    let title: String
    let before: String
    let edits: [Edit]
    let after: String

    /// Both texts end with a line feed beside what is given, unless they are whole.
    init(_ title: String, _ before: String, _ edits: [Edit], _ after: String, isWhole: Bool = false) {
        let ending = isWhole ? "" : "\n"
        self.title = title
        self.before = before + ending
        self.edits = edits
        self.after = after + ending
    }

    var testDescription: String { title }

    static let groups: [Group] = [
        values, removals, comments, insertions, likeness, arrays, lists, several, keys, marks, oddLayouts,
    ]

    /// The changes one after the other, and what they make of a value when they are made one at a time.
    func changes(of value: JSON) throws -> (changes: [JSONChange], result: JSON) {
        var (changes, result) = ([JSONChange](), value)
        for edit in edits {
            changes.append(try edit.change(of: result))
            result = try #require(DifferenceModel.applying(changes[changes.count - 1], to: result))
        }
        return (changes, result)
    }
}
