import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Other programs at every moment of a replacement.
@Suite("Replacing a file while others write")
struct DisturbanceTests {
    typealias Call = ScriptedCalls.Call
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Before which calls of a kind somebody comes: from the one that opens the file to the last.
    @Test(
        "finds what was renamed over it at any moment, without showing anybody a version that lacks it",
        arguments: [
            (Call.openIn, 2), (.setLease, 1), (.read, 1), (.openUnnamed, 1), (.write, 1), (.synchroniseData, 1),
            (.lease, 1), (.lookAtName, 1), (.lookAtPath, 1), (.name, 1), (.setLease, 2), (.exchange, 1),
        ])
    func renamedOver(call: Call, number: Int) throws {
        bench.once(before: call, number) { try bench.renameOver("before theirs") }
        let replacement = try bench.add("ours")
        #expect(try bench.text() == "before theirs ours" && replacement.text == "before theirs ours")
        #expect(replacement.method == .exchanged && replacement.lease == .held && replacement.leftOvers == [])
        try bench.expectClean()
    }

    @Test("lets what is renamed over it afterwards stand", arguments: [Call.synchronise, .remove])
    func renamedAfterwards(call: Call) throws {
        bench.once(before: call) { try bench.renameOver("theirs") }
        #expect(try bench.add("ours").text == "before ours")
        #expect(try bench.text() == "theirs")
        try bench.expectClean()
    }

    @Test("puts a file that came between back at once, and takes in one that came between then")
    func renamedTwice() throws {
        bench.calls.before = { [bench] call, number in
            guard call == .exchange, number < 3 else { return }
            #expect(throws: Never.self) { try bench.renameOver(number == 1 ? "before first" : "before second") }
        }
        let replacement = try bench.add("ours")
        #expect(Set(Words(Array(try bench.text().utf8)).list) == ["before", "first", "second", "ours"])
        #expect(replacement.leftOvers == [] && bench.calls.count(of: .exchange) == 4)
        try bench.expectClean()
    }

    @Test("creates it again when somebody removes it", arguments: [Call.openIn, .read, .lookAtName, .exchange])
    func removed(call: Call) throws {
        bench.once(before: call, call == .openIn ? 2 : 1) { try bench.folder.remove(bench.name) }
        let replacement = try bench.add("ours")
        #expect(try bench.text() == "ours" && replacement.method == .created)
        try bench.expectClean()
    }

    @Test("creates nothing over what another one has just created", arguments: [true, false])
    func createdTwice(isNamed: Bool) throws {
        try bench.folder.remove(bench.name)
        if isNamed { bench.calls.failures = [.openUnnamed: [EOPNOTSUPP, EOPNOTSUPP]] }
        bench.once(before: isNamed ? .renameToFree : .name) { try bench.folder.write(bench.name, "theirs") }
        let replacement = try bench.add("ours")
        #expect(try bench.text() == "theirs ours" && replacement.method == .exchanged)
        try bench.expectClean()
    }

    @Test("asks once more only for what is not in the file")
    func confirmed() throws {
        var asked: [FoundFile] = []
        defer { bench.calls.forget() }
        bench.once(before: .exchange) { try bench.renameOver("theirs") }
        try bench.file.replace(limit: 100, options: .durable, through: bench.calls) { found in
            asked.append(found)
            return (found.contents?.bytes ?? []) + Array("!".utf8)
        }
        #expect(try bench.text() == "theirs!")
        #expect(asked.map(\.confirmed) == [nil, nil])
        #expect(asked.map { $0.contents?.bytes } == [Array("before".utf8), Array("theirs".utf8)])
    }

    @Test("keeps what somebody changes about it beside its bytes", arguments: [1, 2])
    func rightsChanged(moment: Int) throws {
        chmod(bench.file.path, 0o644)
        bench.once(before: moment == 1 ? .synchroniseData : .exchange) { [bench] in
            try #require(
                chmod(bench.file.path, 0o600) == 0 && link(bench.file.path, bench.folder.path(of: "other")) == 0)
        }
        let replacement = try bench.add("ours")
        #expect(try bench.file.read(limit: 100).mode == 0o600 && bench.text() == "before ours")
        #expect(try replacement.partedLinks == 1 && replacement.tries == 2 && bench.folder.read("other") == "before")
        try bench.expectClean(["a.json", "other"])
    }

    /// Who opens the file in the moment in which our version is in its place, though it is taken back.
    @Test("lets nobody see a version that is taken back, so that nothing is added twice", .needs(.python3))
    func seenTooEarly() throws {
        let script = """
            import os
            text = open("a.json").read()
            open("readers", "w").write(text + " reader")
            os.rename("readers", "a.json")
            print("renamed", flush=True)
            """
        var reader: RunningProgram?
        bench.once(before: .exchange) { [bench] in try bench.renameOver("before theirs") }
        bench.calls.after = { [bench] call, number in
            #expect(throws: Never.self) {
                if call == .exchange, number == 1 {
                    reader = try Programs.python3.program.start(["-c", script], in: bench.folder)
                    try bench.waitForOpener(of: bench.name)
                }
                // The version that was taken back is let go, and looked at once more.
                if call == .remove, let waiting = reader {
                    reader = nil
                    #expect(try waiting.line() == "renamed")
                }
            }
        }
        defer { bench.calls.forget() }
        try bench.file.replace(limit: 100, options: .durable, through: bench.calls) { found in
            (found.contents?.bytes ?? []) + Array(" ours".utf8)
        }
        #expect(try bench.text() == "before theirs reader ours")
        try bench.expectClean()
    }

    @Test("gives up on a file that others replace again and again")
    func restless() throws {
        bench.calls.before = { [bench] call, number in
            if call == .lookAtName { #expect(throws: Never.self) { try bench.renameOver("theirs \(number)") } }
        }
        let error = #expect(throws: FileError.self) { try bench.add("ours") }
        #expect(error?.code == .busy && error?.operation == .exchange)
        #expect(error?.description == "\(bench.file.path): Other programs change the file again and again")
        try bench.expectClean()
    }
}
