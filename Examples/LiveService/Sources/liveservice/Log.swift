import Foundation

/// Writes lines to standard error, for people and for journald.
///
/// Levels, messages and metadata are those of swift-log, so that a `Logger` can replace ``write``: see README.
struct Log: Sendable {
    enum Level: String, Codable, Sendable, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// The minimum level that is written. Read for each message, so that it can be changed while the service runs.
    let level: @Sendable () -> Level
    let write: @Sendable (Level, String, [String: String]) -> Void

    func log(
        _ level: Level, _ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]
    ) {
        if level >= self.level() { write(level, message(), metadata()) }
    }

    func debug(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.debug, message(), metadata())
    }

    func info(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.info, message(), metadata())
    }

    func notice(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.notice, message(), metadata())
    }

    func warning(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.warning, message(), metadata())
    }

    func error(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.error, message(), metadata())
    }
}

extension Log.Level: Comparable {
    private var number: Int { Self.allCases.firstIndex(of: self)! }

    static func < (a: Self, b: Self) -> Bool { a.number < b.number }

    /// The priority of syslog, which journald reads at the beginning of a line.
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

extension Log {
    /// A log to standard error: with the time and the level, or with the priority if journald reads it.
    static func standardError(_ level: @escaping @Sendable () -> Level) -> Log {
        let isJournal = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil
        return Log(level: level) { level, message, metadata in
            let details = metadata.sorted { $0.key < $1.key }.map { " \($0)=\(quoted($1))" }.joined()
            let beginning =
                isJournal ? "<\(level.priority)>" : "\(Date.now.formatted(.iso8601)) \(level.rawValue) "
            // Written in one call, so that the lines of several threads are not mixed.
            try? FileHandle.standardError.write(contentsOf: Data("\(beginning)\(escaped(message))\(details)\n".utf8))
        }
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && !text.utf8.contains { " \"\\".utf8.contains($0) }
        let escaped = escaped(text)
        if isPlain, escaped == text { return text }
        return "\"\(escaped.escapingScalars(["\\": "\\\\", "\"": "\\\""]))\""
    }

    /// The text on one line, without characters that a terminal interprets.
    private static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy((UInt8(ascii: " ")...UInt8(ascii: "~")).contains) { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\\u{\(String(scalar.value, radix: 16))}"
            default: "\(scalar)"
            }
        }.joined()
    }
}

extension String {
    /// Replaces scalars also where a combining mark follows, with which they are one character.
    func escapingScalars(_ escapes: [Unicode.Scalar: String]) -> String {
        unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}
