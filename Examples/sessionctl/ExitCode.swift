/// What the program answers to the program that called it.
enum ExitCode: Int32 {
    case done = 0
    /// The answer is no: bad JSON, nothing at a path.
    case no = 1
    /// The program was called wrongly.
    case misused = 2
    /// The system refused: a file that cannot be read, an output that cannot be written.
    case refused = 3
}

extension ExitCode: Comparable {
    static func < (a: ExitCode, b: ExitCode) -> Bool { a.rawValue < b.rawValue }
}
