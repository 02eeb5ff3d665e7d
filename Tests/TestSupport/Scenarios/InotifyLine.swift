/// What inotify told of one thing in a row, as scenarios write it: `name server.json MOVED_FROM CREATE`.
package struct InotifyLine: Equatable, Sendable, CustomStringConvertible {
    package enum Source: String, Sendable {
        /// A watched folder told of a name in it.
        case name
        /// A watched file told of itself.
        case file
        /// A watched folder told of itself.
        case folder
    }

    package let source: Source
    /// From the folder of the scenario on.
    package let path: String
    package private(set) var kinds: [String]

    package init(_ source: Source, _ path: String, _ kinds: [String]) {
        (self.source, self.path, self.kinds) = (source, path, kinds)
    }

    package var description: String { ([source.rawValue, path] + kinds).joined(separator: " ") }

    static func lines(of text: String) throws -> [InotifyLine] {
        let lines = try text.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 2, let source = Source(rawValue: words[0]) else {
                throw SystemRefusal("not \"file server.json MODIFY\": \(line)")
            }
            return InotifyLine(source, words[1], Array(words[2...]))
        }
        if lines.isEmpty { throw SystemRefusal("no events; what wakes nobody is silent") }
        return lines
    }

    /// What was told, in the form that scenarios write it in: what one source tells of one thing stands in one line, and
    /// what is told twice in a row stands there once, as the kernel does it with events that wait to be read.
    ///
    /// Left out are names that `expected` does not speak of, among them those that programs make up for a moment; and
    /// `IGNORED`, which says that a watch has ended, because who was first to end it is a matter of luck.
    package static func normalForm(of told: [InotifyLine], beside expected: [InotifyLine]) -> [InotifyLine] {
        var lines: [InotifyLine] = []
        for event in told where event.source == .file || expected.contains(where: event.isOfTheSame) {
            for kind in event.kinds where kind != "IGNORED" {
                if let last = lines.last, last.isOfTheSame(event) {
                    if last.kinds.last != kind { lines[lines.count - 1].kinds.append(kind) }
                } else {
                    lines.append(InotifyLine(event.source, event.path, [kind]))
                }
            }
        }
        return lines
    }

    private func isOfTheSame(_ other: InotifyLine) -> Bool { source == other.source && path == other.path }
}
