import HandTimed
import SessionMirror

/// A process with a session of each file. It says how long it took to open them and how much memory each needs; then
/// of every edit its number, and the moment at which the subscriber was called.
enum SessionHost {
    static let name = "sessions"

    static func run(_ paths: [String]) throws {
        // What the first session costs and no other.
        try Session(Document.Settings(), at: paths[0]).close()
        let opening = try Opening(paths) { try Session(Document.Settings(), at: $0) }
        let tokens = opening.opened.map { session in
            session.observe(\.sequence) { change in
                let moment = now()
                say("\(change.new) \(moment)")
            }
        }
        say(opening.line)
        while readLine() != nil {}
        withExtendedLifetime((opening.opened, tokens)) {}
    }
}

/// What it took to open something for each of many files.
struct Opening<Opened> {
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

    /// As it is told to the process that asked.
    var line: String { "\(nanoseconds) \(bytesEach)" }
}
