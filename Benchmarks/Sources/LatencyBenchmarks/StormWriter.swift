import ManualTiming

/// A child process that replaces a file as fast as it can, for as many milliseconds as each line of its input says. Then
/// it prints the number that the file has at last.
enum StormWriter {
    static let name = "storm writer"

    static func run(_ path: String) {
        var sequence = 0
        while let line = readLine(), let milliseconds = Int(line) {
            let end = now() + milliseconds * 1_000_000
            while now() < end {
                sequence += 1
                _ = EditMethod.rename.replace(path, with: SettingsDocument.small.bytes(sequence))
            }
            printLine("\(sequence)")
        }
    }
}
