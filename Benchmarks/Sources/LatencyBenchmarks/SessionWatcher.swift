import Glibc
import ManualTiming
import SessionMirror

/// A child process with a session for each file. It prints the time to open them and the memory of each, and then for
/// every edit its number and the time of the callback.
enum SessionWatcher {
    static let name = "sessions"
    /// Of large documents.
    static let nameOfLarge = "sessions of large documents"

    static func run(_ paths: [String], isLarge: Bool = false) throws {
        // One-time costs of the first session.
        try Session(SettingsDocument.Settings(), at: paths[0]).closeBlocking()
        let opening = try OpeningCost(paths) { try Session(SettingsDocument.Settings(), at: $0) }
        let tokens = opening.opened.map { session in
            isLarge
                ? session.observe(\.editedPort) { printEdit($0.new ?? 0, at: now()) }
                : session.observe(\.sequence) { printEdit($0.new, at: now()) }
        }
        printLine(opening.line)
        while readLine() != nil {}
        withExtendedLifetime((opening.opened, tokens)) {}
    }
}

private func printEdit(_ number: Int, at moment: Int) { printLine("\(number) \(moment)") }

/// The cost of opening something for each of many files.
struct OpeningCost<Opened> {
    let opened: [Opened]
    let nanoseconds: Int
    let bytesEach: Int

    init(_ paths: [String], _ open: (String) throws -> Opened) rethrows {
        let memory = residentBytes()
        let begin = now()
        opened = try paths.map(open)
        nanoseconds = now() - begin
        bytesEach = (residentBytes() - memory) / paths.count
    }

    /// The form in which the child process prints it.
    var line: String { "\(nanoseconds) \(bytesEach)" }
}

/// The resident memory of this process in bytes.
func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { fail("no /proc/self/statm") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    fgets(&line, Int32(line.count), file)
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self).split(separator: " ")
    return Int(words[1])! * Int(getpagesize())
}
