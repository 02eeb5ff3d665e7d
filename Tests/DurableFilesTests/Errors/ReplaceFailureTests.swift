import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// The paths through a replacement, each of which makes different calls.
enum FailurePath: String, CaseIterable {
    case exchanging, creating, creatingNamed, named, linking, renaming, overwriting, keepingLinks, same, withdrawing
    case attributes, recovering

    /// Creates a file, and calls that lead to this path.
    func fixture() throws -> ReplaceFixture {
        let isCreating = [.creating, .creatingNamed, .linking].contains(self)
        let fixture = try ReplaceFixture(isCreating ? nil : "before")
        switch self {
        case .creatingNamed, .named: fixture.calls.failures = [.openUnnamed: [EOPNOTSUPP, EOPNOTSUPP]]
        case .linking: fixture.calls.failures = [.openUnnamed: [EOPNOTSUPP], .renameToUnused: [EINVAL]]
        case .renaming: fixture.calls.failures = [.exchange: [EINVAL]]
        case .overwriting: fixture.calls.failures = [.exchange: [EBUSY]]
        case .keepingLinks: link(fixture.file.path, fixture.folder.path(of: "other"))
        case .attributes where getuid() == 0: chown(fixture.file.path, 4_321, 4_321)
        case .recovering: try fixture.folder.write(".a.json.sm-new-1", "half")
        default: break
        }
        return fixture
    }

    var options: ReplaceOptions {
        var options = ReplaceOptions.durable
        options.hardLinks = self == .keepingLinks ? .keep : .unlink
        return options
    }

    var word: String { self == .same ? "before" : "after" }

    /// The contents of the file after success.
    var texts: Set<String> {
        switch self {
        case .creating, .creatingNamed, .linking: ["after"]
        case .same: ["before"]
        case .withdrawing: ["before theirs after"]
        default: ["before after"]
        }
    }

    /// The actions of other programs that are part of the path.
    func interfere(_ fixture: ReplaceFixture, _ call: ScriptedCalls.Call) throws {
        if self == .withdrawing, call == .exchange, fixture.calls.count(of: .exchange) == 1 {
            try fixture.renameOver("before theirs")
        }
    }

    func run(_ fixture: ReplaceFixture) throws { try fixture.add(word, options) }

    /// Returns the calls made on the path.
    func calls() throws -> [ScriptedCalls.Call] {
        let fixture = try fixture()
        fixture.calls.before = { call, _ in #expect(throws: Never.self) { try interfere(fixture, call) } }
        try run(fixture)
        fixture.calls.before = { _, _ in }
        return fixture.calls.made
    }
}

@Suite("Failing system calls of a replacement")
struct ReplaceFailureTests {
    typealias Call = ScriptedCalls.Call

    /// Returns the calls of a path that can fail, with the number of each call among those of its kind.
    private func failingCalls(_ failurePath: FailurePath) throws -> [(call: Call, number: Int)] {
        var counts: [Call: Int] = [:]
        return try failurePath.calls().map { call in
            counts[call, default: 0] += 1
            return (call, counts[call, default: 0])
        }
        .filter { ![.close, .unlock, .pause].contains($0.call) }
    }

    /// Makes exactly one call fail. It is identified by its kind and number, because another run may have to repeat
    /// calls.
    private func fail(
        _ failurePath: FailurePath, _ call: Call, _ number: Int, with error: Int32
    ) throws -> (ReplaceFixture, (any Error)?) {
        let fixture = try failurePath.fixture()
        fixture.calls.before = { [calls = fixture.calls] made, count in
            #expect(throws: Never.self) { try failurePath.interfere(fixture, made) }
            if made == call, count == number { calls.failures[call, default: []].insert(error, at: 0) }
        }
        defer { fixture.calls.before = { _, _ in } }
        do {
            try failurePath.run(fixture)
            return (fixture, nil)
        } catch {
            return (fixture, error)
        }
    }

    @Test(
        "An I/O error at any call leaves the old or the new version and no open descriptor",
        arguments: FailurePath.allCases)
    func failing(failurePath: FailurePath) throws {
        for (call, number) in try failingCalls(failurePath) { try checkFailing(failurePath, call, number, with: EIO) }
    }

    @Test(
        "After any call fails for lack of memory, space or descriptors, the next replacement succeeds",
        arguments: FailurePath.allCases)
    func limited(failurePath: FailurePath) throws {
        for (call, number) in try failingCalls(failurePath) {
            for error in call.limits {
                let fixture = try checkFailing(failurePath, call, number, with: error)
                try fixture.add(failurePath.word, failurePath.options)
                #expect(
                    try WordList(Array(fixture.text().utf8)).list.contains(failurePath.word),
                    "\(failurePath): \(call) \(error)")
            }
        }
    }

    @discardableResult
    private func checkFailing(_ failurePath: FailurePath, _ call: Call, _ number: Int, with errorNumber: Int32) throws
        -> ReplaceFixture
    {
        let (fixture, error) = try fail(failurePath, call, number, with: errorNumber)
        let context: Comment = """
            \(failurePath): \(call.rawValue) \(number), \(errorNumber): \(error.map { "\($0)" } ?? "no error")
            """
        if let error {
            #expect((error as? FileError)?.errorNumber == errorNumber, context)
            #expect((error as? FileError)?.path == fixture.file.path, context)
            #expect((error as? FileError)?.advice != nil || errorNumber == EAGAIN, context)
        }
        let exists = try fixture.names().contains(fixture.name)
        let text = exists ? try fixture.text() : ""
        if error == nil { #expect(failurePath.texts.contains(text), context) }
        #expect(failurePath.texts.union(["before", "before theirs", "before after", ""]).contains(text), context)
        #expect(try fixture.calls.openDescriptors == [] && fixture.folder.openDescriptors() == 0, context)
        // The next replacement removes what could not be removed or was still needed.
        let left = try fixture.folder.leftovers()
        #expect(left.count <= (mayLeave(call) || failurePath == .recovering ? 1 : 0), context)
        try fixture.file.recover(limit: 1_000) { base, ours, theirs in
            Issue.record("unexpected merge: \(context)")
            return ours
        }
        #expect(try fixture.folder.leftovers() == [], context)
        if exists {
            let intact = failurePath == .withdrawing ? ["before", "before theirs"] : ["before"]
            #expect(try failurePath.texts.union(intact).contains(fixture.text()), context)
        }
        return fixture
    }

    /// Returns whether a failure of this call may leave a temporary file.
    private func mayLeave(_ call: Call) -> Bool {
        [.remove, .exchange, .rename, .statusOfName, .openIn, .read, .write, .status, .lease, .setSize].contains(call)
    }

    @Test("A replacement repeats each call that a signal interrupts", arguments: FailurePath.allCases)
    func interrupted(failurePath: FailurePath) throws {
        for (call, number) in try failingCalls(failurePath) {
            let (fixture, error) = try fail(failurePath, call, number, with: EINTR)
            #expect(error == nil, "\(failurePath): \(call.rawValue) \(number)")
            #expect(try failurePath.texts.contains(fixture.text()), "\(failurePath): \(call.rawValue) \(number)")
            try fixture.expectClean(failurePath == .keepingLinks ? ["a.json", "other"] : nil)
        }
    }

    @Test("A replacement completes if each read and write transfers one byte", arguments: FailurePath.allCases)
    func short(failurePath: FailurePath) throws {
        let fixture = try failurePath.fixture()
        fixture.calls.before = { call, _ in #expect(throws: Never.self) { try failurePath.interfere(fixture, call) } }
        defer { fixture.calls.before = { _, _ in } }
        (fixture.calls.longestRead, fixture.calls.longestWrite) = (1, 1)
        try failurePath.run(fixture)
        #expect(try failurePath.texts.contains(fixture.text()))
        try fixture.expectClean(failurePath == .keepingLinks ? ["a.json", "other"] : nil)
    }

    private static let broken = "Input/output error; see the kernel log with dmesg"

    @Test(
        "The error of a replacement contains operation, errno value, reason and advice",
        arguments: [
            (Call.openWithoutLinks, EIO, FileError.Operation.open, FileError.Code.system, Self.broken),
            (
                .openUnnamed, EMFILE, .create, .system,
                "Too many open files; this program has too many files open, raise the limit with ulimit -n"
            ),
            (
                .openUnnamed, ENOSPC, .create, .full,
                "No space left on device; free space on the file system of FOLDER, see df and df -i"
            ),
            (
                .write, ENOSPC, .write, .full,
                "No space left on device; free space on the file system of FOLDER, see df and df -i"
            ),
            (
                .write, EDQUOT, .write, .full,
                "Disk quota exceeded; the user's quota is exhausted on the file system of FOLDER, see quota"
            ),
            (
                .write, ENOMEM, .write, .system,
                "Cannot allocate memory; the system is out of memory, see free"
            ),
            (.synchronizeData, EIO, .synchronize, .system, Self.broken),
            (.removeAttribute, EIO, .copyAttributes, .system, Self.broken),
            (
                .requireWritable, EACCES, .write, .permission,
                "Permission denied; user \(geteuid()) needs write permission for the file, see chmod and chown"
            ),
            (
                .requireWritable, EROFS, .write, .readOnly,
                "Read-only file system; check the mount options with findmnt"
            ),
            (.exchange, EIO, .exchange, .system, Self.broken),
            (.list, EIO, .list, .system, Self.broken),
        ])
    func words(
        call: Call, number: Int32, operation: FileError.Operation, code: FileError.Code, words: String
    ) throws {
        let fixture = try ReplaceFixture()
        fixture.calls.failures = [call: [number]]
        let error = #expect(throws: FileError.self) { try fixture.add("after") }
        #expect(error?.operation == operation && error?.code == code && error?.errorNumber == number)
        let reason = words.replacing("FOLDER", with: fixture.folder.path)
        #expect(error?.description == "\(fixture.file.path): \(reason)")
        #expect(try fixture.text() == "before")
        try fixture.expectClean()
    }

    @Test(
        "A failed directory sync is reported, and the next replacement synchronizes again"
    )
    func notDurable() throws {
        let fixture = try ReplaceFixture()
        fixture.calls.failures = [.synchronize: [EIO]]
        let error = #expect(throws: FileError.self) { try fixture.add("after") }
        #expect(error?.code == .notDurable && error?.errorNumber == EIO)
        #expect(
            error?.description == "\(fixture.file.path): Written, but synchronizing failed: Input/output error;"
                + " see the kernel log with dmesg")
        #expect(try fixture.text() == "before after")
        try fixture.expectClean()
        let again = try fixture.add("after")
        #expect(again.method == .unchanged && again.durability == .complete)
        #expect(fixture.calls.count(of: .synchronizeData) == 2 && fixture.calls.count(of: .synchronize) == 2)
    }

    @Test("The result reports that directory sync, leases or locks are unsupported")
    func withoutFolderSync() throws {
        let fixture = try ReplaceFixture()
        fixture.calls.failures = [
            .synchronize: [EINVAL], .setLease: Array(repeating: ENOLCK, count: 9), .lock: [ENOLCK],
        ]
        let replacement = try fixture.add("after")
        #expect(replacement.durability == .contentsOnly && replacement.lease == .unavailable(ENOLCK))
        #expect(try replacement.lock == .unavailable(ENOLCK) && fixture.text() == "before after")
        try fixture.expectClean()
    }

    @Test("A replacement waits five seconds for the directory lock")
    func locked() throws {
        let fixture = try ReplaceFixture()
        fixture.calls.pausesForReal = false
        fixture.calls.failures = [.lock: Array(repeating: EAGAIN, count: 10_000)]
        #expect(try fixture.add("after").lock == .timedOut)
        #expect(fixture.calls.pauses.reduce(0, +) == 5_000_000 && fixture.calls.pauses.max() == 1_000)
    }
}

extension ScriptedCalls.Call {
    /// The temporary errors of this call: too many open files, no memory, no space.
    var limits: [Int32] {
        switch self {
        case .openIn, .openUnnamed, .createDirectory: [EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT]
        case .openWithoutLinks, .list: [EMFILE, ENFILE, ENOMEM]
        case .write, .setSize, .synchronizeData, .synchronize, .name, .link, .rename, .renameToUnused, .exchange,
            .setAttribute:
            [ENOMEM, ENOSPC, EDQUOT]
        case .lock, .setLease: [ENOMEM, EAGAIN]
        default: [ENOMEM]
        }
    }
}
