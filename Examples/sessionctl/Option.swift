/// An option of a command.
struct Option: Sendable {
    /// Without the two dashes.
    let name: String
    var letter: Unicode.Scalar?
    /// What the value is called in the help; nil for an option without one.
    var value: String?
    let help: String

    static let help = Option(name: "help", letter: "h", help: "show this help")
    static let version = Option(name: "version", help: "show the version")

    /// Every command has these.
    static let common = [help, version]

    /// As it stands in the help: `-h, --help`, `--count=NUMBER`.
    var spelling: String {
        let long = value.map { "--\(name)=\($0)" } ?? "--\(name)"
        return letter.map { "-\($0), \(long)" } ?? long
    }

    /// As it stands in a line that shows the usage.
    var usage: String { value.map { "[--\(name)=\($0)]" } ?? "[--\(name)]" }

    /// So that an option can be looked for by its constant.
    static func ~= (pattern: Option, option: Option) -> Bool { pattern.name == option.name }
}
