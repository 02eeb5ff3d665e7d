/// What a command was given.
struct Arguments {
    var operands: [String] = []
    private var values: [String: String?] = [:]

    mutating func add(_ option: Option, value: String?) { values.updateValue(value, forKey: option.name) }

    func has(_ option: Option) -> Bool { values.keys.contains(option.name) }
}
