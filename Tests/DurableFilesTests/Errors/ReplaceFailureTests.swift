import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Ways through the protocol, each of which makes calls of its own.
enum Route: String, CaseIterable {
    case exchanging, creating, creatingNamed, named, linking, renaming, overwriting, keepingLinks, same, withdrawing
    case attributes, recovering

    /// A file, and calls that take this way.
    func bench() throws -> Workbench {
        let isCreating = [.creating, .creatingNamed, .linking].contains(self)
        let bench = try Workbench(isCreating ? nil : "before")
        switch self {
        case .creatingNamed, .named: bench.calls.failures = [.openUnnamed: [EOPNOTSUPP, EOPNOTSUPP]]
        case .linking: bench.calls.failures = [.openUnnamed: [EOPNOTSUPP], .renameToFree: [EINVAL]]
        case .renaming: bench.calls.failures = [.exchange: [EINVAL]]
        case .overwriting: bench.calls.failures = [.exchange: [EBUSY]]
        case .keepingLinks: link(bench.file.path, bench.folder.path(of: "other"))
        case .attributes where getuid() == 0: chown(bench.file.path, 4_321, 4_321)
        case .recovering: try bench.folder.write(".a.json.sm-new-1", "half")
        default: break
        }
        return bench
    }

    var options: ReplaceOptions {
        var options = ReplaceOptions.durable
        options.hardLinks = self == .keepingLinks ? .keep : .part
        return options
    }

    var word: String { self == .same ? "before" : "after" }

    /// What the file holds when it has worked.
    var texts: Set<String> {
        switch self {
        case .creating, .creatingNamed, .linking: ["after"]
        case .same: ["before"]
        case .withdrawing: ["before theirs after"]
        default: ["before after"]
        }
    }

    /// What belongs to it beside the calls that a test watches.
    func interfere(_ bench: Workbench, _ call: ScriptedCalls.Call) throws {
        if self == .withdrawing, call == .exchange, bench.calls.count(of: .exchange) == 1 {
            try bench.renameOver("before theirs")
        }
    }

    func run(_ bench: Workbench) throws { try bench.add(word, options) }

    /// Which calls are made on the way.
    func calls() throws -> [ScriptedCalls.Call] {
        let bench = try bench()
        bench.calls.before = { call, _ in #expect(throws: Never.self) { try interfere(bench, call) } }
        try run(bench)
        bench.calls.before = { _, _ in }
        return bench.calls.made
    }
}

@Suite("System calls that fail while a file is replaced")
struct ReplaceFailureTests {
    typealias Call = ScriptedCalls.Call

    /// The calls of a way that can fail, and which of its kind each is: the first, the second.
    private func failingCalls(_ route: Route) throws -> [(call: Call, number: Int)] {
        var counts: [Call: Int] = [:]
        return try route.calls().map { call in
            counts[call, default: 0] += 1
            return (call, counts[call, default: 0])
        }
        .filter { ![.close, .unlock, .pause].contains($0.call) }
    }

    /// Lets one call fail, and only that. It is told by its kind: another run may have to try something once more.
    private func fail(
        _ route: Route, _ call: Call, _ number: Int, with error: Int32
    ) throws -> (Workbench, (any Error)?) {
        let bench = try route.bench()
        bench.calls.before = { [calls = bench.calls] made, count in
            #expect(throws: Never.self) { try route.interfere(bench, made) }
            if made == call, count == number { calls.failures[call, default: []].insert(error, at: 0) }
        }
        defer { bench.calls.before = { _, _ in } }
        do {
            try route.run(bench)
            return (bench, nil)
        } catch {
            return (bench, error)
        }
    }

    @Test(
        "each once, leave the old version or the new one, nothing open, and nothing that the next one does not clear away",
        arguments: Route.allCases)
    func failing(route: Route) throws {
        for (call, number) in try failingCalls(route) {
            let (bench, error) = try fail(route, call, number, with: EIO)
            let place: Comment = "\(route): \(call.rawValue) \(number): \(error.map { "\($0)" } ?? "no error")"
            if let error {
                #expect((error as? FileError)?.errorNumber == EIO, place)
                #expect((error as? FileError)?.path == bench.file.path, place)
            }
            let isThere = try bench.names().contains(bench.name)
            let there = isThere ? try bench.text() : ""
            if error == nil { #expect(route.texts.contains(there), place) }
            #expect(route.texts.union(["before", "before theirs", "before after", ""]).contains(there), place)
            #expect(try bench.calls.openDescriptors == [] && bench.folder.openDescriptors() == 0, place)
            // What could not be removed, or was still needed, is cleared away by the next one.
            let left = try bench.folder.leftOvers()
            #expect(left.count <= (mayLeave(call) || route == .recovering ? 1 : 0), place)
            try bench.file.recover(limit: 1_000) { base, ours, theirs in
                Issue.record("nothing was displaced: \(place)")
                return ours
            }
            #expect(try bench.folder.leftOvers() == [], place)
            if isThere {
                let intact = route == .withdrawing ? ["before", "before theirs"] : ["before"]
                #expect(try route.texts.union(intact).contains(bench.text()), place)
            }
        }
    }

    /// What removes a name or looks at what lies under it can fail so that the name stays.
    private func mayLeave(_ call: Call) -> Bool {
        [.remove, .exchange, .rename, .lookAtName, .openIn, .read, .write, .look, .lease, .setSize].contains(call)
    }

    @Test("because of a signal, each once, make no difference", arguments: Route.allCases)
    func interrupted(route: Route) throws {
        for (call, number) in try failingCalls(route) {
            let (bench, error) = try fail(route, call, number, with: EINTR)
            #expect(error == nil, "\(route): \(call.rawValue) \(number)")
            #expect(try route.texts.contains(bench.text()), "\(route): \(call.rawValue) \(number)")
            try bench.expectClean(route == .keepingLinks ? ["a.json", "other"] : nil)
        }
    }

    @Test("by doing less than they were asked for make no difference", arguments: Route.allCases)
    func short(route: Route) throws {
        let bench = try route.bench()
        bench.calls.before = { call, _ in #expect(throws: Never.self) { try route.interfere(bench, call) } }
        defer { bench.calls.before = { _, _ in } }
        (bench.calls.longestRead, bench.calls.longestWrite) = (1, 1)
        try route.run(bench)
        #expect(try route.texts.contains(bench.text()))
        try bench.expectClean(route == .keepingLinks ? ["a.json", "other"] : nil)
    }

    @Test(
        "are told with what was tried, the number and the words of the system",
        arguments: [
            (Call.openWithoutLinks, EIO, FileError.Operation.open, FileError.Code.system, "Input/output error"),
            (
                .openUnnamed, EMFILE, .create, .system,
                "Too many open files; this program has too many files open, see ulimit -n"
            ),
            (.openUnnamed, ENOSPC, .create, .full, "No space left on device"),
            (.write, ENOSPC, .write, .full, "No space left on device"),
            (.write, EDQUOT, .write, .full, "Disk quota exceeded"),
            (.synchroniseData, EIO, .synchronise, .system, "Input/output error"),
            (.removeAttribute, EIO, .copyAttributes, .system, "Input/output error"),
            (
                .requireWritable, EACCES, .write, .permission,
                "Permission denied; the user of this program must be allowed to write to it, see chmod"
            ),
            (
                .requireWritable, EROFS, .write, .readOnly,
                "Read-only file system; see with findmnt how its file system is mounted"
            ),
            (.exchange, EIO, .exchange, .system, "Input/output error"),
            (.list, EIO, .list, .system, "Input/output error"),
        ])
    func words(
        call: Call, number: Int32, operation: FileError.Operation, code: FileError.Code, words: String
    ) throws {
        let bench = try Workbench()
        bench.calls.failures = [call: [number]]
        let error = #expect(throws: FileError.self) { try bench.add("after") }
        #expect(error?.operation == operation && error?.code == code && error?.errorNumber == number)
        #expect(error?.description == "\(bench.file.path): \(words)")
        #expect(try bench.text() == "before")
        try bench.expectClean()
    }

    @Test(
        "to wait for the name to be on the disk are told though the bytes are in the file, and the next one waits again"
    )
    func notDurable() throws {
        let bench = try Workbench()
        bench.calls.failures = [.synchronise: [EIO]]
        let error = #expect(throws: FileError.self) { try bench.add("after") }
        #expect(error?.code == .notDurable && error?.errorNumber == EIO)
        #expect(
            error?.description == "\(bench.file.path): Written, but the disk does not confirm it: Input/output error;"
                + " see the messages of the kernel, with dmesg")
        #expect(try bench.text() == "before after")
        try bench.expectClean()
        let again = try bench.add("after")
        #expect(again.method == .unchanged && again.durability == .complete)
        #expect(bench.calls.count(of: .synchroniseData) == 2 && bench.calls.count(of: .synchronise) == 2)
    }

    @Test("because the folder has no such thing are no error, and the result says what is missing")
    func withoutFolderSync() throws {
        let bench = try Workbench()
        bench.calls.failures = [.synchronise: [EINVAL], .setLease: Array(repeating: ENOLCK, count: 9), .lock: [ENOLCK]]
        let replacement = try bench.add("after")
        #expect(replacement.durability == .withoutName && replacement.lease == .unavailable(ENOLCK))
        #expect(try replacement.lock == .unavailable(ENOLCK) && bench.text() == "before after")
        try bench.expectClean()
    }

    @Test("the lock of the folder is waited for during five seconds")
    func locked() throws {
        let bench = try Workbench()
        bench.calls.pausesForReal = false
        bench.calls.failures = [.lock: Array(repeating: EAGAIN, count: 10_000)]
        #expect(try bench.add("after").lock == .timedOut)
        #expect(bench.calls.pauses.reduce(0, +) == 5_000_000 && bench.calls.pauses.max() == 1_000)
    }
}
