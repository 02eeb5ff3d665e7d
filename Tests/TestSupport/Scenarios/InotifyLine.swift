/// Consecutive inotify events of one source, as scenarios write them: `name server.json MOVED_FROM CREATE`.
package struct InotifyLine: Equatable, Sendable, CustomStringConvertible {
    package enum Source: String, Sendable {
        /// A watched directory, about a name in it.
        case name
        /// A watched file, about itself.
        case file
        /// A watched directory, about itself.
        case folder
    }

    package let source: Source
    /// Relative to the directory of the scenario.
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
                throw TestSupportError("not \"file server.json MODIFY\": \(line)")
            }
            return InotifyLine(source, words[1], Array(words[2...]))
        }
        if lines.isEmpty { throw TestSupportError("no events; a step without events is \"silent\"") }
        return lines
    }

    /// Normalizes received events to the form of scenarios: one line for consecutive events of one source, and one kind
    /// for equal consecutive kinds, as the kernel coalesces pending events.
    ///
    /// Leaves out names that `expected` does not contain, such as temporary files of programs, and `IGNORED`, because
    /// whether the kernel or the watch ends first is random.
    package static func normalized(_ received: [InotifyLine], expected: [InotifyLine]) -> [InotifyLine] {
        var lines: [InotifyLine] = []
        for event in received where event.source == .file || expected.contains(where: event.hasSameSource) {
            for kind in event.kinds where kind != "IGNORED" {
                if let last = lines.last, last.hasSameSource(event) {
                    if last.kinds.last != kind { lines[lines.count - 1].kinds.append(kind) }
                } else {
                    lines.append(InotifyLine(event.source, event.path, [kind]))
                }
            }
        }
        return lines
    }

    private func hasSameSource(_ other: InotifyLine) -> Bool { source == other.source && path == other.path }
}
