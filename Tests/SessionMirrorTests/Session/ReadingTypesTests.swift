import FoundationEssentials
import SessionMirror
import TestSupport
import Testing

@Suite("Reading without a type") struct ReadingTypesTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "any.json")
    }

    @Test("A member is read as the type that is asked for; missing and null ones are nil without a warning") func read()
        throws
    {
        let session = Session<JSON>(inMemory: ["rating": 5, "name": "a", "list": [1, 2], "none": nil, "ratio": 0.5])
        #expect(session["rating", as: Int.self] == 5)
        #expect(session["ratio", as: Double.self] == 0.5)
        #expect(session["name", as: String.self] == "a")
        #expect(session["list", as: [Int].self] == [1, 2])
        #expect(session[at: "/list/1", as: Int.self] == 2)
        #expect(session["none", as: Int.self] == nil && session["missing", as: Int.self] == nil)
        #expect(session.mirror.status.warnings == [])
    }

    @Test("Types with a conversion are read and observed by the session's conversions") func conversions() throws {
        let session = Session<JSON>(inMemory: ["timeout": "250ms", "date": 5])
        #expect(session["timeout", as: Duration.self] == .milliseconds(250))
        #expect(session[at: "timeout", as: Duration.self] == .milliseconds(250))
        #expect(session["date", as: Date.self] == nil)
        let received = Received<Change<Duration?>>()
        let token = session.observe("timeout", as: Duration.self, initial: true) { received.add($0) }
        eventually("the current value is delivered") { received.items.last?.new == .milliseconds(250) }
        withExtendedLifetime(token) {}

        try folder.write("any.json", #"{ "size": "5 KB" }"#)
        var options = SessionOptions()
        options.conversions.add(
            Size.self, encode: { JSON("\($0.kilobytes) KB") },
            decode: { json in
                guard let number = json.string.flatMap({ Int($0.dropLast(3)) }) else {
                    throw JSONMismatch(expected: "a size")
                }
                return Size(kilobytes: number)
            })
        let own = try Session<JSON>([:], at: path, options: options)
        #expect(own["size", as: Size.self] == Size(kilobytes: 5))
    }

    private struct Size: Codable, Equatable {
        let kilobytes: Int
    }

    @Test("A value of another type is a warning with its location, reported once until the value changes")
    func mismatch() throws {
        try folder.write("any.json", "{\n  \"rating\": \"five\"\n}\n")
        let session = try Session<JSON>([:], at: path)
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        for _ in 0..<10 { #expect(session["rating", as: Int.self] == nil) }
        eventually("the warning is delivered") { reports.items.contains { $0.problem != nil } }
        let warning = try #require(session.mirror.status.warnings.first)
        #expect(warning.description == "\(path):2:13: warning: \"rating\" must be a whole number, found \"five\"")
        #expect(warning.code == .mismatch(found: "five") && session.mirror.status.content == .good)

        // Another edit does not report it again.
        try folder.write("any.json", "{\n  \"a\": 1,\n  \"rating\": \"five\"\n}\n")
        eventually("the edit is loaded") { session["a"] == 1 }
        #expect(session["rating", as: Int.self] == nil)
        try folder.write("any.json", "{\n  \"rating\": 5\n}\n")
        eventually("the warning ends") {
            reports.items.contains { if case .recovered(let ended) = $0 { ended.path == "/rating" } else { false } }
        }
        #expect(session["rating", as: Int.self] == 5 && session.mirror.status.warnings == [])
        #expect(reports.items.compactMap(\.problem).count == 1)
        withExtendedLifetime(token) {}
    }

    @Test("An observer of a typed value receives nil for a value of another type, which is a warning") func observe()
        throws
    {
        try folder.write("any.json", #"{ "rating": 5 }"#)
        let session = try Session<JSON>([:], at: path)
        let received = Received<Change<Int?>>()
        let token = session.observe("/rating", as: Int.self, initial: true) { received.add($0) }
        eventually("the current value is delivered") { received.items.last?.new == 5 }
        try folder.write("any.json", #"{ "rating": "five" }"#)
        eventually("the mismatch is delivered") { received.items.last?.new == .some(nil) }
        eventually("the warning is in the status") {
            session.mirror.status.warnings.map(\.code) == [.mismatch(found: "five")]
        }
        try folder.write("any.json", #"{ "rating": 7 }"#)
        eventually("the next value is delivered") { received.items.last?.new == 7 }
        #expect(session.mirror.status.warnings == [])
        withExtendedLifetime(token) {}
    }

    @Test("A check that decodes a value rejects a file where it has another type, with its location") func check()
        throws
    {
        try folder.write("any.json", #"{ "rating": "five" }"#)
        let session = try Session<JSON>([:], at: path) { _ = try $0.value(Int.self, at: "/rating") }
        guard case .invalid(let problem) = session.mirror.status.content else {
            Issue.record("the file is valid")
            return
        }
        #expect(problem.path == "/rating" && problem.location?.column == 13)
    }
}
