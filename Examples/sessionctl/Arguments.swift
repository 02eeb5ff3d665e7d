import LosslessJSON

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
        name: "redact", value: "PATH", help: "hide values at PATH, such as a.*.b; may be repeated")

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
                do throws(JSONPointerError) {
                    patterns.append(try JSONPathPattern(parsing: text))
                } catch {
                    throw .usageError("--redact: \(error.description)")
                }
            }
            return JSONSecrets(patterns)
        }
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
            throw .usageError("PATH: \(error.description)")
        }
    }
}
