import LosslessJSON
import Testing

/// A text, edits, and the expected result. The documentation shows these cases as examples.
struct EditCase: Sendable, CustomTestStringConvertible {
    enum Edit: Sendable, CustomStringConvertible {
        case set(String, String)
        case add(String, String)
        case remove(String)

        var description: String {
            switch self {
            case .set(let path, let value): "set \(path.isEmpty ? "the root" : path) to \(value)"
            case .add(let path, let value): "add \(path): \(value)"
            case .remove(let path): "remove \(path)"
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

    /// Appends a line feed to both texts, unless `isWhole`.
    init(_ title: String, _ before: String, _ edits: [Edit], _ after: String, isWhole: Bool = false) {
        let ending = isWhole ? "" : "\n"
        self.title = title
        self.before = before + ending
        self.edits = edits
        self.after = after + ending
    }

    var testDescription: String { title }

    static let groups: [Group] = [
        values, removals, comments, insertions, matchingLayout, arrays, replacedArrays, several, keys, lineEnds,
        oddLayouts, oddComments,
    ]

    /// The changes in order, and the result of applying them to a value one at a time.
    func changes(of value: JSON) throws -> (changes: [JSONChange], result: JSON) {
        var (changes, result) = ([JSONChange](), value)
        for edit in edits {
            changes.append(try edit.change(of: result))
            result = try #require(DifferenceModel.applying(changes[changes.count - 1], to: result))
        }
        return (changes, result)
    }
}
