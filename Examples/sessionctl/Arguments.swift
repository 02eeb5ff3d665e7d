import Glibc
import LosslessJSON
import VisibleText

/// An option of a command.
struct Option: Sendable {
    /// Without the two dashes.
    let name: String
    var letter: Unicode.Scalar?
    /// The placeholder of the value in the help; nil for an option without a value.
    var value: String?
    let help: String

    static let help = Option(name: "help", letter: "h", help: "show this help")
    static let version = Option(name: "version", help: "show the version")
    /// Of the commands that print values.
    static let redact = Option(
        name: "redact", value: "PATH", help: "hide values at PATH, such as a.*; may be repeated")

    /// The options of every command.
    static let common = [help, version]

    /// The form in the help: `-h, --help`, `--count=NUMBER`.
    var spelling: String {
        let long = value.map { "--\(name)=\($0)" } ?? "--\(name)"
        return letter.map { "-\($0), \(long)" } ?? long
    }

    /// The form in a usage line.
    var usage: String { value.map { "[--\(name)=\($0)]" } ?? "[--\(name)]" }

    /// Matches options by name in `switch`.
    static func ~= (pattern: Option, option: Option) -> Bool { pattern.name == option.name }
}

/// The options and operands of a command.
struct Arguments {
    var operands: [String] = []
    /// The index of the first operand after the argument "--"; nil if there is none.
    var firstAfterDashes: Int?
    private var values: [String: [String?]] = [:]

    mutating func add(_ option: Option, value: String?) { values[option.name, default: []].append(value) }

    func has(_ option: Option) -> Bool { values.keys.contains(option.name) }

    /// The last value of an option that takes one; nil if the option is absent.
    func value(of option: Option) -> String? { values(of: option).last }

    /// The paths of ``Option/redact``.
    var secrets: JSONSecrets {
        get throws(Failure) {
            var patterns: [JSONPathPattern] = []
            for text in values(of: .redact) {
                if let written = JSONPathPattern.withoutBrackets(text) {
                    throw .usageError(
                        "--redact: \"\(text.visible(upTo: 60))\" has brackets; write \(written.visible(upTo: 60)), or for a"
                            + " key with brackets the form of RFC 6901")
                }
                do throws(JSONPointerError) {
                    patterns.append(try JSONPathPattern(parsing: text))
                } catch {
                    throw .usageError("--redact: \(JSONPointer.advice(for: text) ?? error.description)")
                }
            }
            return JSONSecrets(patterns)
        }
    }

    /// Throws if FILE does not exist, and a later operand names a file: other tools have the file last.
    func requireFileFirst() throws(Failure) {
        guard let first = operands.first, first != "-", access(first, F_OK) != 0, errno == ENOENT else { return }
        var status = stat()
        let file = operands.dropFirst().first { stat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG }
        guard let file else { return }
        throw .usageError(
            "there is no file \(first.visible(upTo: 60)); FILE is the first operand: write \(file.visible(upTo: 60))"
                + " before \(first.visible(upTo: 60))")
    }

    /// All values of an option that may be repeated.
    func values(of option: Option) -> [String] { (values[option.name] ?? []).compactMap(\.self) }
}

extension JSONPointer {
    /// Parses a path operand of the command line.
    init(operand text: String) throws(Failure) {
        do throws(JSONPointerError) {
            try self.init(parsing: text)
        } catch {
            throw .usageError("PATH: \(JSONPointer.advice(for: text) ?? error.description)")
        }
        if !text.hasPrefix("/"), tokens.contains("*") {
            throw .usageError(
                "PATH: \"\(text.visible(upTo: 200))\" has an asterisk, which is a wildcard only for get; write"
                    + " \(description.visible(upTo: 200)) for the key *")
        }
    }

    /// What to write instead of a path in the style of jq, `.http.port`; nil for others.
    fileprivate static func advice(for text: String) -> String? {
        if text == "." { return "\".\" is not a path; for the whole value, write ''" }
        guard text.hasPrefix("."), let path = try? JSONPointer(parsing: String(text.dropFirst())), !path.isRoot else {
            return nil
        }
        if (path.splittingSubscripts ?? path).tokens.contains(where: { $0.contains { "[]|?\", ".contains($0) } }) {
            return "\"\(text.visible(upTo: 200))\" begins with a dot; for the language of jq, write get FILE | jq"
        }
        return "\"\(text.visible(upTo: 200))\" begins with a dot; write \((path.splittingSubscripts ?? path).title)"
    }

    /// The path with subscripts in the style of jq, `hosts[0]`, as tokens of their own; nil if there are none.
    var splittingSubscripts: JSONPointer? {
        let split = tokens.flatMap { token -> [String] in
            guard token.hasSuffix("]") else { return [token] }
            // "hosts[0][1]": the parts are "hosts", "0]", "1]".
            let parts = token.split(separator: "[", omittingEmptySubsequences: false)
            let indices = parts.dropFirst().map { $0.dropLast() }
            guard !indices.isEmpty, parts.dropFirst().allSatisfy({ $0.hasSuffix("]") }),
                indices.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } })
            else { return [token] }
            return (parts[0].isEmpty ? [] : [String(parts[0])]) + indices.map(String.init)
        }
        return split == tokens ? nil : JSONPointer(split)
    }
}

extension JSONPathPattern {
    /// A path in the style of jq, `users[].token`, in dotted form, `users.*.token`; nil for one without brackets.
    fileprivate static func withoutBrackets(_ text: String) -> String? {
        guard !text.hasPrefix("/"), text.contains("[") else { return nil }
        let names = text.replacing("[]", with: "[*]").replacing("]", with: "").replacing("[", with: ".")
        return String(names.replacing("\"", with: "").replacing("..", with: ".").drop { $0 == "." })
    }

    /// Parses a path operand of the command line that may have asterisks.
    init(operand text: String) throws(Failure) {
        do throws(JSONPointerError) {
            try self.init(parsing: text)
        } catch {
            throw .usageError("PATH: \(JSONPointer.advice(for: text) ?? error.description)")
        }
    }
}

extension JSON {
    /// Parses a JSON value of the command line.
    ///
    /// - Parameters:
    ///   - option: The option with the value, and a colon; empty for an operand.
    ///   - isSecret: Whether the text must not appear in messages.
    ///   - advice: What to write for a string, if the text is a plain word.
    init(
        operand text: String, for option: String = "", isSecret: Bool = false, advice: @autoclosure () -> String
    ) throws(Failure) {
        do throws(JSONSyntaxError) {
            try self.init(parsing: text, dialect: .json)
        } catch {
            if isSecret {
                throw .usageError("\(option)the value is not valid JSON; a string needs quotes, or --string")
            }
            let hint = text.isPlainWord ? "; \(advice())" : ""
            let shown = text.isEmpty ? "an empty text" : text.visible(upTo: 60)
            throw .usageError("\(option)\(shown) is not valid JSON: \(error.message)\(hint)")
        }
    }
}

extension String {
    /// Whether the text looks like a word without quotes, which can be put between quotes as it is.
    var isPlainWord: Bool {
        first?.isLetter == true && utf8.count <= 60 && visible == self && !contains { "\"'\\".contains($0) }
    }
}
