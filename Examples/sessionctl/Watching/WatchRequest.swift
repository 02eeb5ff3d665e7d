import LosslessJSON

/// What is to be watched, how it is shown, and when that ends.
struct WatchRequest {
    let file: String
    /// Only what concerns one of these is shown; empty for everything.
    let paths: [JSONPointer]
    let isForPrograms: Bool
    let isPolled: Bool
    let dialect: JSONDocument.Dialect
    let count: Int?
    let limit: Limit?
    let goal: Goal?

    /// A time that somebody typed.
    struct Limit {
        let text: String
        let duration: Duration
    }

    /// What a file is called in messages.
    var title: String { file.visible }

    init(_ arguments: Arguments) throws(Failure) {
        file = arguments.operands[0]
        if file == "-" { throw .misused("standard input (-) cannot be watched; a file of that name is ./-") }
        var paths: [JSONPointer] = []
        for operand in arguments.operands.dropFirst() { paths.append(try JSONPointer(operand: operand)) }
        self.paths = paths
        isForPrograms = arguments.has(.json)
        isPolled = arguments.has(.poll)
        dialect = arguments.has(.strict) ? .json : .jsonc
        count = try arguments.value(of: .count).map(WatchRequest.count)
        limit = try arguments.value(of: .timeout).map(Limit.init)
        goal = try arguments.value(of: .until).map(Goal.init)
    }

    private static func count(_ text: String) throws(Failure) -> Int {
        guard let count = Int(text), count > 0 else {
            throw .misused("--count: \(text.shortened(to: 60).visible) is no whole number above 0")
        }
        return count
    }

    /// Whether a change at `path` is at, below or above one of the paths.
    func concerns(_ path: JSONPointer) -> Bool {
        paths.isEmpty
            || paths.contains { wanted in
                let depth = min(wanted.tokens.count, path.tokens.count)
                return JSONPointer(Array(wanted.tokens.prefix(depth))) == JSONPointer(Array(path.tokens.prefix(depth)))
            }
    }
}

extension WatchRequest.Limit {
    /// More than anybody waits for, and less than what clocks can count.
    private static let longest = 1e9

    init(_ text: String) throws(Failure) {
        guard let seconds = Double(text), seconds >= 0 else {
            throw .misused("--timeout: \(text.shortened(to: 60).visible) is no number of seconds")
        }
        self.text = "\(text) s"
        duration = .seconds(min(seconds, Self.longest))
    }
}
