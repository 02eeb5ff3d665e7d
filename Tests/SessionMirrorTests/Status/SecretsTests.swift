import Locking
import TestSupport
import Testing

@testable import SessionMirror

/// Searches everything that a program may print of a problem for the text of a secret.
@Suite("Secrets in problems and reports") struct SecretsTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "settings.json")
    }

    private struct Settings: Codable, Sendable {
        var token = "hunter0"
        var port = 0
        var users: [String: [String: String]] = [:]
        var ratio = 0.5
        var secretRatio = 0.5
    }

    private static let secrets: JSONSecrets = ["token", "users.*.key", "secretRatio"]

    private var options: SessionOptions {
        var options = SessionOptions()
        options.secrets = Self.secrets
        options.settlingTime = .milliseconds(1)
        options.unobservedProblems = .ignore
        return options
    }

    private func expectNoSecret(
        in problem: SessionProblem, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let texts = [
            problem.description, problem.fullDescription, problem.message, "\(MirrorReport.problem(problem))",
            "\(MirrorReport.recovered(problem))", SessionError(unusable: problem).description,
            SessionError(unusable: problem).message,
            MirrorStatus(watching: .live, content: .invalid(problem), saving: .failing(problem)).description,
        ]
        #expect(problem.code.name == name, sourceLocation: sourceLocation)
        for text in texts { #expect(!text.contains("hunter"), "\(text)", sourceLocation: sourceLocation) }
    }

    @Test(
        "A file that is not valid",
        arguments: [
            ("syntax", #"{ "token": hunter2 }"#),
            ("syntax", #"{ "token": "hunter2" "port": 1 }"#),
            ("syntax", #"{ "token": "hunter2"#),
            ("value", #"{ "token": ["hunter2"], "port": 1 }"#),
            ("value", #"{ "users": { "ann": "hunter2" } }"#),
            ("value", #"{ "users": { "ann": { "key": { "a": "hunter2" } } } }"#),
            ("value", #"{ "token": "hunter2", "port": "eighty" }"#),
            ("value", #"{ "token": "hunter1", "token": "hunter2", "port": "eighty" }"#),
        ])
    func invalid(name: String, text: String) throws {
        try folder.write("settings.json", text)
        let session = try Session(Settings(), at: path, options: options)
        eventually("the problem is known") { session.mirror.status.content.problem != nil }
        expectNoSecret(in: try #require(session.mirror.status.content.problem), name)
        var options = options
        options.start = .requireValid
        let error = try #require(throws: SessionError.self) { try Session(Settings(), at: path, options: options) }
        expectNoSecret(in: try #require(error.problem), name)
    }

    @Test("A value beside a secret has its line with the secret replaced") func excerpt() throws {
        try folder.write("settings.json", #"{ "token": "hunter2", "port": "eighty" }"#)
        let session = try Session(Settings(), at: path, options: options)
        let problem = try #require(session.mirror.status.content.problem)
        #expect(problem.excerpt?.line == #"{ "token": "<redacted>", "port": "eighty" }"#)
        #expect(problem.message == #""port" must be a whole number, found "eighty""#)
    }

    private struct ShortToken: Error, CustomStringConvertible {
        let description: String
    }

    @Test("A check that quotes the secret it rejects", arguments: [true, false]) func rejected(names: Bool) throws {
        try folder.write("settings.json", #"{ "token": "hunter2", "port": 1 }"#)
        let session = try Session(Settings(), at: path, options: options) { settings in
            guard settings.token != "hunter2" else {
                let message = "must be longer than \(settings.token)"
                throw names
                    ? ValidationError(message, at: "port") as any Error : ShortToken(description: "a token \(message)")
            }
        }
        let problem = try #require(session.mirror.status.content.problem)
        expectNoSecret(in: problem, "value")
        #expect(problem.message.hasSuffix("must be longer than <redacted>"))
    }

    @Test("Defaults that the check rejects") func defaults() throws {
        let error = try #require(throws: SessionError.self) {
            try Session(Settings(), at: path, options: options) { settings in
                throw ValidationError("must not be \(settings.token)", at: "token")
            }
        }
        #expect(error.message == "the defaults cannot be used: \"token\" must not be <redacted>")
    }

    @Test("A misspelled key of a secret, and a secret that stands twice") func warnings() throws {
        try folder.write("settings.json", #"{ "tokn": "hunter2", "token": "hunter3", "token": "hunter4" }"#)
        let session = try Session(Settings(), at: path, options: options)
        let warnings = session.mirror.status.warnings
        #expect(warnings.count == 2)
        for warning in warnings {
            let isDuplicate = warning.path == "token"
            expectNoSecret(in: warning, isDuplicate ? "duplicateKey" : "unknownKey")
            #expect(warning.location != nil)
        }
    }

    @Test("A secret that is read as another type") func mismatch() throws {
        try folder.write("settings.json", #"{ "token": "hunter2", "port": "hunter" }"#)
        let session = try Session<JSON>([:], at: path, options: options)
        #expect(session["token", as: Int.self] == nil)
        eventually("the warning is known") { session.mirror.status.warnings.count == 1 }
        let warning = try #require(session.mirror.status.warnings.first)
        expectNoSecret(in: warning, "mismatch")
        #expect(warning.code == .mismatch(found: "hunter2"))
    }

    @Test("A value that cannot be encoded", arguments: [true, false]) func unencodable(isSecret: Bool) throws {
        let session = try Session(Settings(), at: path, options: options)
        try session.update { settings in
            if isSecret { settings.secretRatio = .nan } else { settings.ratio = .nan }
        }
        let problem = try #require(throws: SessionProblem.self) { try session.flushBlocking() }
        expectNoSecret(in: problem, "unwritable")
        #expect(problem.message.hasSuffix("cannot be encoded"))
        try session.update { $0 = Settings() }
    }

    // MARK: - Merging

    private func reconcile(
        _ policy: ConflictPolicy, base: JSON, memory: JSON, found: String, ownWrites: OwnWriteLog = OwnWriteLog()
    ) throws -> [SessionProblem] {
        let decoder = ValidatingDecoder<JSON>(
            coder: .standard,
            check: { value in
                if let a = value["a"]?.int, let b = value["b"]?.int, a + b > 2 {
                    throw ValidationError("must not be \(value["token"]?.string ?? "")", at: "a")
                }
            }, secrets: Self.secrets)
        let reconciler = Reconciler(file: "file", decoder: decoder, policy: policy, secrets: Self.secrets)
        let document = try JSONDocument(parsing: "\(base)")
        let syncBase = SyncBase(
            document: document, isMissing: false, baseTree: document.value,
            snapshot: SnapshotStorage(memory, version: Version(7), origin: .update, source: .tree(memory)),
            ownWrites: ownWrites)
        return try reconciler.reconcile(
            syncBase, JSONDocument(parsing: found), at: Instant(nanoseconds: 5_000_000_000)
        ).conflicts
    }

    @Test("A conflict of a secret, or of a container of secrets") func conflicts() throws {
        let policies: [ConflictPolicy] = [.fileWins, .memoryWins, .custom { _ in "hunter9" }]
        for policy in policies {
            let conflicts =
                try reconcile(
                    policy, base: ["token": "hunter1"], memory: ["token": "hunter2"], found: #"{"token": "hunter3"}"#)
                + reconcile(
                    policy, base: ["users": ["ann": ["key": "hunter1"]]], memory: ["users": 1],
                    found: #"{"users": {"ann": {"key": "hunter2"}}}"#)
            #expect(conflicts.count == 2)
            for conflict in conflicts { expectNoSecret(in: conflict, "conflict") }
            #expect(conflicts[0].message.hasPrefix("\"token\" was changed to \"<redacted>\" by this program"))
        }
    }

    @Test("A merged value that the check rejects") func rejectedMerge() throws {
        let conflicts = try reconcile(
            .fileWins, base: ["a": 0, "b": 0, "token": "hunter2"], memory: ["a": 2, "b": 0, "token": "hunter2"],
            found: #"{"a": 0, "b": 2, "token": "hunter2"}"#)
        #expect(conflicts.count == 1)
        for conflict in conflicts { expectNoSecret(in: conflict, "conflict") }
        #expect(conflicts.first?.message.contains("must not be <redacted>") == true)
    }

    @Test("A stale write of a secret is restored, and a later revert reported") func staleWrites() throws {
        for (age, name) in [(Duration.milliseconds(1), "restored"), (.seconds(3), "reverted")] {
            var ownWrites = OwnWriteLog()
            ownWrites.saved(
                [ValueChange(path: "token", old: "hunter1", new: "hunter2")],
                at: Instant(nanoseconds: 5_000_000_000) + (.zero - age))
            let conflicts = try reconcile(
                .fileWins, base: ["token": "hunter2"], memory: ["token": "hunter2"], found: #"{"token": "hunter1"}"#,
                ownWrites: ownWrites)
            #expect(conflicts.count == 1)
            for conflict in conflicts { expectNoSecret(in: conflict, name) }
        }
    }
}
