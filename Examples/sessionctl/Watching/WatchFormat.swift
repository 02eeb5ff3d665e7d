import LosslessJSON
import SessionMirror
import VisibleText

/// Formats events as lines of output.
protocol WatchFormat {
    /// The line that says that the file is watched; nil for none.
    func header() -> String?

    /// The lines for the current value, or for the values at the watched paths.
    func initial(_ values: [LocatedChange], in snapshot: Snapshot<JSON>) -> [String]

    /// The lines for the changes in a version, at least one.
    func changes(_ changes: [LocatedChange], in snapshot: Snapshot<JSON>, at time: UnixTime) -> [String]

    /// The line before the changes of a version that shows that the file can be used again; nil for none.
    mutating func recovery() -> String?

    /// The lines for a report; nil for none.
    mutating func report(_ report: MirrorReport) -> String?
}

/// A change, and the line number of the new value, if there is one.
struct LocatedChange {
    let change: JSONChange
    let line: Int?
}

/// Lines for people: `FILE:LINE: PATH: OLD → NEW`, and errors in the format of compilers.
struct TextFormat: WatchFormat {
    private let title: String
    private let paths: [JSONPointer]
    private let terminal: Terminal?
    private var content = MirrorStatus.Content.good
    private var watching = MirrorStatus.Watching.live

    /// - Parameter terminal: Where the lines appear, each with its time; nil for a file or a pipe.
    init(title: String, paths: [JSONPointer], terminal: Terminal?) {
        (self.title, self.paths, self.terminal) = (title, paths, terminal)
    }

    func header() -> String? {
        "\(title): watching" + (paths.isEmpty ? "" : " \(paths.map(\.title).joined(separator: ", "))")
    }

    func initial(_ values: [LocatedChange], in snapshot: Snapshot<JSON>) -> [String] {
        values.map { located in
            let beginning = "\(place(of: located)): \(located.change.path.title): "
            func text(_ limit: Int) -> String { beginning + (located.change.new?.text(upTo: limit) ?? "(none)") }
            guard let terminal else { return text(200) }
            let clock = UnixTime.now.clock
            let space = terminal.columns - clock.count - 1 - beginning.count
            return "\(terminal.dimmed(clock)) \(text(min(max(space, 5), 200)))"
        }
    }

    private func place(of located: LocatedChange) -> String { located.line.map { "\(title):\($0)" } ?? title }

    func changes(_ changes: [LocatedChange], in snapshot: Snapshot<JSON>, at time: UnixTime) -> [String] {
        changes.map { located in
            line(located.change, "\(place(of: located)): \(located.change.path.title): ", at: time)
        }
    }

    private func line(_ change: JSONChange, _ beginning: String, at time: UnixTime) -> String {
        func text(_ limit: Int) -> String {
            func text(_ value: JSON?) -> String { value?.text(upTo: limit) ?? "(none)" }
            return "\(beginning)\(text(change.old)) → \(text(change.new))"
        }
        guard let terminal else { return text(200) }
        let clock = time.clock
        // Both values get the same space, or one what the other leaves.
        let space = terminal.columns - clock.count - 1 - beginning.count - 3
        let lengths = [change.old, change.new].map { ($0?.text(upTo: 200) ?? "(none)").count }
        let limit = max(space / 2, space - (lengths.min() ?? 0), 5)
        return "\(terminal.dimmed(clock)) \(terminal.colored(text(min(limit, 200)), change.kind))"
    }

    /// Only a file that can be used has new versions.
    mutating func recovery() -> String? {
        defer { content = .good }
        return message(for: MirrorStatus.Content.good).map(timed)
    }

    /// Recovery is printed with the next version or status, because the file may also be missing.
    mutating func report(_ report: MirrorReport) -> String? {
        switch report {
        case .problem(let problem): return timed(problem.report(file: title).visibleLines)
        case .recovered: return nil
        case .status(let status):
            defer { (content, watching) = (status.content, status.watching) }
            let lines = [message(for: status.content), message(for: status.watching)].compactMap { $0 }
            return lines.isEmpty ? nil : lines.map(timed).joined(separator: "\n")
        }
    }

    /// The text with the current time before it, on a terminal.
    private func timed(_ text: String) -> String {
        terminal.map { "\($0.dimmed(UnixTime.now.clock)) \(text)" } ?? text
    }

    private func message(for newContent: MirrorStatus.Content) -> String? {
        switch (content, newContent) {
        case (.missing, .missing), (.good, .good), (_, .invalid): nil
        case (_, .missing): "\(title): no such file; waiting for it"
        case (.missing, .good): "\(title): the file exists"
        case (.invalid, .good): "\(title) can be used again"
        }
    }

    private func message(for newWatching: MirrorStatus.Watching) -> String? {
        if newWatching == watching { return nil }
        return switch newWatching {
        case .live: "\(title): watching again"
        case .polling(let reason): "\(title): polling: \(reason)"
        case .notWatching: "\(title): no longer watching"
        }
    }
}

extension JSONPointer {
    /// Its form in messages.
    var title: String { isRoot ? "(root)" : inMessage }
}
