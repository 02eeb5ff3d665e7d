import LosslessJSON
import TestSupport
import Testing

/// A running `sessionctl watch`, read line by line.
struct WatchProcess {
    let program: RunningProgram

    /// Starts it. ``event()`` requires `--json`.
    init(_ arguments: String..., in folder: TemporaryFolder) throws { try self.init(arguments, in: folder) }

    init(_ arguments: [String], in folder: TemporaryFolder) throws {
        program = try Program.sessionctl.start(["watch"] + arguments, in: folder)
    }

    /// The next line.
    func line() throws -> String {
        let messages = try program.readMessages()
        return try #require(try program.line(), "\(messages)")
    }

    /// The next JSON line, which must have exactly the documented keys.
    func event(sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONLine {
        let line = try line()
        let options = JSONDocument.Options(dialect: .json)
        let event = JSONLine(try JSONDocument(parsing: line, options: options).value)
        #expect(event.hasDocumentedKeys, "\(line)", sourceLocation: sourceLocation)
        return event
    }

    /// Waits for the exit code; expects no further output.
    func end(code: Int32, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try program.end()
        #expect(result.code == code && result.output == "", "\(result)", sourceLocation: sourceLocation)
    }
}

/// A line of `sessionctl watch --json`.
struct JSONLine: Equatable {
    /// Without `at`, which a test cannot predict.
    let json: JSON
    let time: Int?
    private let keys: [String]

    init(_ json: JSON) {
        keys = (json.object?.keys).map(Array.init) ?? []
        time = json["at"]?.int
        var json = json
        if json["at"] != nil { json["at"] = nil }
        self.json = json
    }

    var name: String { json["event"]?.string ?? "" }
    var version: Int { json["version"]?.int ?? 0 }

    /// The change, if there is exactly one.
    var change: JSON? { json["changes"]?.array?.count == 1 ? json["changes"]?[0] : nil }

    var hasDocumentedKeys: Bool {
        switch name {
        case "initial": keys == ["event", "version", "value"]
        case "change": keys == ["event", "version", "origin", "at", "changes"] && time != nil && hasDocumentedChanges
        case "problem":
            [["event", "code", "line", "column", "message"], ["event", "code", "message"]].contains(keys)
        case "recovered": keys == ["event"]
        case "status": [["event", "watching", "content"], ["event", "watching", "reason", "content"]].contains(keys)
        default: false
        }
    }

    private var hasDocumentedChanges: Bool {
        let changes = json["changes"]?.array ?? []
        return !changes.isEmpty
            && changes.allSatisfy { change in
                let keys = (change.object?.keys).map(Array.init) ?? []
                return [["path", "old", "new", "line"], ["path", "new", "line"], ["path", "old"]].contains(keys)
            }
    }

    static func == (a: JSONLine, b: JSONLine) -> Bool { a.json == b.json }
}

extension JSONLine: CustomStringConvertible {
    var description: String { json.description }
}

extension JSONLine: ExpressibleByStringLiteral {
    /// As JSON, without `at`.
    init(stringLiteral text: String) {
        guard let json = try? JSON(parsing: text) else { preconditionFailure(text) }
        self.init(json)
    }

    static let recovered: JSONLine = #"{"event": "recovered"}"#

    static func status(_ content: String) -> JSONLine {
        JSONLine(["event": "status", "watching": "live", "content": JSON(content)])
    }

    static func initial(_ value: JSON) -> JSONLine {
        JSONLine(["event": "initial", "version": 1, "value": value])
    }

    static func change(_ version: Int, _ changes: JSON) -> JSONLine {
        JSONLine(["event": "change", "version": JSON(version), "origin": "external", "changes": changes])
    }
}
