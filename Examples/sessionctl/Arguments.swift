/// What a command was given.
struct Arguments {
    var operands: [String] = []
    private var values: [String: String?] = [:]

    mutating func add(_ option: Option, value: String?) { values.updateValue(value, forKey: option.name) }

    func has(_ option: Option) -> Bool { values.keys.contains(option.name) }

    /// The value of an option that takes one; nil where it was not given.
    func value(of option: Option) -> String? { values[option.name] ?? nil }
}
