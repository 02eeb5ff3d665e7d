import LosslessJSON

/// The value that `--until` waits for.
struct Goal {
    private let path: JSONPointer
    private let value: JSON

    /// Reads PATH=JSON. Keys may hold `=` as strings may: the path ends at the first one behind which JSON follows.
    init(_ text: String) throws(Failure) {
        let (path, value) = try Goal.parts(of: text)
        self.path = try JSONPointer(operand: path)
        self.value = value
    }

    private static func parts(of text: String) throws(Failure) -> (path: String, value: JSON) {
        var mistake: String?
        for place in text.utf8.indices where text.utf8[place] == UInt8(ascii: "=") {
            let value = String(text[text.utf8.index(after: place)...])
            do throws(JSONSyntaxError) {
                return (String(text[..<place]), try JSON(parsing: value))
            } catch {
                mistake = mistake ?? "\(value.shortened(to: 60)) is no JSON: \(error.message)"
            }
        }
        throw .misused("--until: \((mistake ?? "\(text.shortened(to: 60)) is not PATH=JSON").visible)")
    }

    func isReached(in root: JSON) -> Bool { root[at: path] == value }

    /// What is there instead, in one line.
    func shortfall(in root: JSON) -> String {
        guard let found = root[at: path] else { return MissingPath(path, in: root).description }
        return "\(path.title) is \(found.text(upTo: 60)), not \(value.text(upTo: 60))"
    }
}
