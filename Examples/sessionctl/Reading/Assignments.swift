import LosslessJSON
import VisibleText

/// Values as assignments to variables.
struct Assignments {
    enum Syntax {
        /// For POSIX shells.
        case shell
        /// For `EnvironmentFile=` of systemd, and for shells.
        case environmentFile
    }

    private let syntax: Syntax
    private let prefix: String
    /// The name of the file in messages.
    private let title: String
    /// The path of each name.
    private var paths: [String: JSONPointer] = [:]
    /// The assignments, a line each.
    private(set) var text = ""

    init(_ syntax: Syntax, prefix: String, title: String) {
        (self.syntax, self.prefix, self.title) = (syntax, prefix, title)
    }

    /// Adds a value, or each member of it. Null becomes the empty text.
    mutating func add(_ value: JSON, at path: JSONPointer) throws(Failure) {
        switch value {
        case .object(let object):
            for (key, member) in object { try add(member, at: JSONPointer(path.tokens + [key])) }
        case .array(let array):
            for (index, element) in array.enumerated() {
                try add(element, at: JSONPointer(path.tokens + ["\(index)"]))
            }
        case .null: try assign("", at: path)
        case .string(let text): try assign(text.string, at: path)
        case .bool, .number: try assign(value.description, at: path)
        }
    }

    private mutating func assign(_ value: String, at path: JSONPointer) throws(Failure) {
        let name = ((prefix.isEmpty ? [] : [prefix]) + path.tokens).joined(separator: "_")
        guard name.isVariableName else {
            let advice = path.isRoot ? "give another PREFIX" : "leave it out, or print it without assigning it"
            throw failure(
                "cannot be assigned to \"\(name.visible(upTo: 200))\", which is not a name for a variable; \(advice)",
                path)
        }
        if let other = paths.updateValue(path, forKey: name) {
            if other == path { return }
            throw failure("and \(other.subject) would both be assigned to \(name); print one with another PREFIX", path)
        }
        text += "\(name)=\(try quoted(value, path))\n"
    }

    private func quoted(_ value: String, _ path: JSONPointer) throws(Failure) -> String {
        if value.utf8.contains(0) { throw failure("contains NUL, which no variable can have", path) }
        switch syntax {
        case .shell: return "'\(Self.escaping(value, "'") { "'\\\($0)'" })'"
        case .environmentFile:
            if value.utf8.contains(UInt8(ascii: "\n")) {
                throw failure("contains a line end, which an environment file cannot have", path)
            }
            return "\"\(Self.escaping(value, "\"\\$`") { "\\\($0)" })\""
        }
    }

    /// Escapes scalars: a quote and a combining mark after it are one character, which is not equal to the quote.
    private static func escaping(
        _ value: String, _ special: String, _ escaped: (Unicode.Scalar) -> String
    ) -> String {
        value.unicodeScalars.map { special.unicodeScalars.contains($0) ? escaped($0) : String($0) }.joined()
    }

    private func failure(_ text: String, _ path: JSONPointer) -> Failure {
        .negative("\(title): \(path.subject) \(text)")
    }
}

extension String {
    /// Whether a shell accepts the text as the name of a variable.
    var isVariableName: Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
        guard let first = utf8.first, isLetter(first) else { return false }
        return utf8.allSatisfy { isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
