import LosslessJSON
import VisibleText

/// A path and a value, written PATH=JSON.
struct PathValue {
    let path: JSONPointer
    let value: JSON

    /// Parses PATH=JSON. Keys and strings may contain `=`: the path ends at the first `=` that is followed by valid
    /// JSON.
    ///
    /// - Parameters:
    ///   - dialect: Of the value.
    ///   - option: The option with the value, and a colon; empty for an operand.
    ///   - isSecret: Whether the value must not appear in messages.
    init(
        parsing text: String, _ dialect: JSONDocument.Dialect = .jsonc, for option: String = "", isSecret: Bool = false
    ) throws(Failure) {
        var mistake: String?
        for place in text.utf8.indices where text.utf8[place] == UInt8(ascii: "=") {
            let (path, value) = (String(text[..<place]), String(text[text.utf8.index(after: place)...]))
            do throws(JSONSyntaxError) {
                self.value = try JSON(parsing: value, dialect: dialect)
            } catch {
                let hidden =
                    "the value of \(path.visible(upTo: 60)) is not valid JSON; a string needs quotes, or --string"
                mistake = mistake ?? (isSecret ? hidden : Self.mistake(error, value, path))
                continue
            }
            self.path = try JSONPointer(operand: path)
            return
        }
        throw .usageError(
            option
                + (mistake ?? (isSecret ? "an operand is not PATH=JSON" : "\(text.visible(upTo: 60)) is not PATH=JSON"))
        )
    }

    /// Parses PATH=TEXT; the path ends at the first `=`.
    init(parsingString text: String) throws(Failure) {
        guard let place = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw .usageError("\(text.visible(upTo: 60)) is not PATH=TEXT")
        }
        path = try JSONPointer(operand: String(text[..<place]))
        value = JSON(String(text[text.utf8.index(after: place)...]))
    }

    init(path: JSONPointer, value: JSON) { (self.path, self.value) = (path, value) }

    private static func mistake(_ error: JSONSyntaxError, _ value: String, _ path: String) -> String {
        let hint = value.isPlainWord ? "; for a string, write '\(path.visible(upTo: 60))=\"\(value)\"'" : ""
        return "\(value.visible(upTo: 60)) is not valid JSON: \(error.message)\(hint)"
    }

    func isReached(in root: JSON) -> Bool { root[at: path] == value }

    /// How the value in `root` differs, on one line.
    func difference(in root: JSON, hiding secrets: JSONSecrets) -> String {
        guard let found = root[at: path] else { return MissingPath(path, in: secrets.redacting(root)).description }
        let (current, awaited) = (secrets.redacting(found, at: path), secrets.redacting(value, at: path))
        return "\(path.title) is \(current.text(upTo: 60)), not \(awaited.text(upTo: 60))"
    }
}
