import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Other programs interfere at every point of a replacement.
@Suite("Interference during a replacement")
struct InterferenceTests {
    typealias Call = ScriptedCalls.Call
    private let fixture: ReplaceFixture

    init() throws { fixture = try ReplaceFixture() }

    /// The calls before which another program interferes: from opening the file to the last one.
    @Test(
        "A file renamed into place before any call of a replacement is merged",
        arguments: [
            (Call.openIn, 2), (.setLease, 1), (.read, 1), (.openUnnamed, 1), (.write, 1), (.synchronizeData, 1),
            (.lease, 1), (.statusOfName, 1), (.statusOfPath, 1), (.name, 1), (.setLease, 2), (.exchange, 1),
        ])
    func renamedOver(call: Call, number: Int) throws {
        fixture.once(before: call, number) { try fixture.renameOver("before theirs") }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before theirs ours" && replacement.text == "before theirs ours")
        #expect(replacement.method == .exchanged && replacement.lease == .held && replacement.leftovers == [])
        try fixture.expectClean()
    }

    @Test("A file renamed into place after the exchange stays in place", arguments: [Call.synchronize, .remove])
    func renamedAfterwards(call: Call) throws {
        fixture.once(before: call) { try fixture.renameOver("theirs") }
        #expect(try fixture.add("ours").text == "before ours")
        #expect(try fixture.text() == "theirs")
        try fixture.expectClean()
    }

    @Test("A file renamed into place while another one is put back is merged")
    func renamedTwice() throws {
        fixture.calls.before = { [fixture] call, number in
            guard call == .exchange, number < 3 else { return }
            #expect(throws: Never.self) { try fixture.renameOver(number == 1 ? "before first" : "before second") }
        }
        let replacement = try fixture.add("ours")
        #expect(Set(WordList(Array(try fixture.text().utf8)).list) == ["before", "first", "second", "ours"])
        #expect(replacement.leftovers == [] && fixture.calls.count(of: .exchange) == 4)
        try fixture.expectClean()
    }

    @Test(
        "A file removed during a replacement is created again",
        arguments: [Call.openIn, .read, .statusOfName, .exchange])
    func removed(call: Call) throws {
        fixture.once(before: call, call == .openIn ? 2 : 1) { try fixture.folder.remove(fixture.name) }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "ours" && replacement.method == .created)
        try fixture.expectClean()
    }

    @Test("A file that another program creates at the same time is merged", arguments: [true, false])
    func createdTwice(isNamed: Bool) throws {
        try fixture.folder.remove(fixture.name)
        if isNamed { fixture.calls.failures = [.openUnnamed: [EOPNOTSUPP, EOPNOTSUPP]] }
        fixture.once(before: isNamed ? .renameToUnused : .name) { try fixture.folder.write(fixture.name, "theirs") }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "theirs ours" && replacement.method == .exchanged)
        try fixture.expectClean()
    }

    @Test("The closure is called again only for contents that it has not received")
    func confirmed() throws {
        var asked: [FoundFile] = []
        defer { fixture.calls.forget() }
        fixture.once(before: .exchange) { try fixture.renameOver("theirs") }
        try fixture.file.replace(limit: 100, options: .durable, through: fixture.calls) { found in
            asked.append(found)
            return (found.contents?.bytes ?? []) + Array("!".utf8)
        }
        #expect(try fixture.text() == "theirs!")
        #expect(asked.map(\.written) == [nil, nil])
        #expect(asked.map { $0.contents?.bytes } == [Array("before".utf8), Array("theirs".utf8)])
    }

    @Test(
        "A permission change during a replacement is carried over in the same try",
        arguments: [(Call.synchronizeData, 1), (.statusOfName, 1), (.name, 1), (.exchange, 1)])
    func permissionsChanged(call: Call, number: Int) throws {
        chmod(fixture.file.path, 0o644)
        fixture.once(before: call, number) { [fixture] in
            try #require(
                chmod(fixture.file.path, 0o600) == 0 && link(fixture.file.path, fixture.folder.path(of: "other")) == 0)
        }
        let replacement = try fixture.add("ours")
        #expect(try fixture.file.read(limit: 100).mode == 0o600 && fixture.text() == "before ours")
        #expect(
            try replacement.linksToOldVersion == 1 && replacement.tries == 1 && fixture.folder.read("other") == "before"
        )
        try fixture.expectClean(["a.json", "other"])
    }

    @Test("Permissions that another program sets on the new version are kept")
    func permissionsChangedTwice() throws {
        chmod(fixture.file.path, 0o644)
        fixture.once(before: .exchange) { [fixture] in
            try #require(chmod(fixture.file.path, 0o640) == 0)
        }
        fixture.calls.after = { [fixture] call, _ in
            if call == .exchange { #expect(chmod(fixture.file.path, 0o600) == 0) }
        }
        #expect(try fixture.add("ours").tries == 1)
        #expect(try fixture.file.read(limit: 100).mode == 0o600 && fixture.text() == "before ours")
    }

    @Test("Extended attributes that change during a replacement are carried over")
    func attributesChanged() throws {
        let old = open(fixture.file.path, O_RDONLY | O_CLOEXEC)
        defer { close(old) }
        func set(_ name: String, _ value: String) throws {
            try Kernel.shared.setAttribute(name, of: old, to: Array(value.utf8))
        }
        try set("user.changed", "old")
        try set("user.removed", "old")
        fixture.once(before: .synchronizeData) {
            try set("user.changed", "new")
            try set("user.set", "new")
            try Kernel.shared.removeAttribute("user.removed", of: old)
        }
        let replacement = try fixture.add("ours")
        #expect(replacement.tries == 1 && replacement.lostAttributes == [] && replacement.durability == .complete)
        let new = open(fixture.file.path, O_RDONLY | O_CLOEXEC)
        defer { close(new) }
        #expect(try Kernel.shared.attributeNames(of: new).sorted() == ["user.changed", "user.set"])
        #expect(try Kernel.shared.attribute("user.changed", of: new) == Array("new".utf8))
    }

    @Test("Changed times or an identical copy cause no second call of the closure", arguments: [true, false])
    func sameBytes(isCopy: Bool) throws {
        fixture.calls.before = { [fixture] call, _ in
            guard [.synchronizeData, .name, .exchange].contains(call) else { return }
            #expect(throws: Never.self) {
                if isCopy {
                    try fixture.renameOver("before")
                } else {
                    try #require(utimes(fixture.file.path, nil) == 0)
                }
            }
        }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before ours" && replacement.tries == 1 && replacement.method == .exchanged)
        #expect(fixture.calls.count(of: .exchange) == 1)
        try fixture.expectClean()
    }

    @Test("Without leases, changed times cause no second call of the closure")
    func touchedWithoutLeases() throws {
        fixture.calls.failures = [.setLease: Array(repeating: EACCES, count: 100)]
        fixture.calls.before = { [fixture] call, _ in
            if [.read, .synchronizeData, .exchange].contains(call) { _ = utimes(fixture.file.path, nil) }
        }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before ours" && replacement.tries == 1)
        #expect(replacement.lease == .unavailable(EACCES))
    }

    /// A reader opens the file while the new version is in place and about to be rolled back.
    @Test("A reader that opens a version just before its rollback does not read it", .needs(.python3))
    func readBeforeRollback() throws {
        let script = """
            import os
            text = open("a.json").read()
            open("readers", "w").write(text + " reader")
            os.rename("readers", "a.json")
            print("renamed", flush=True)
            """
        var reader: RunningProgram?
        fixture.once(before: .exchange) { [fixture] in try fixture.renameOver("before theirs") }
        fixture.calls.after = { [fixture] call, number in
            #expect(throws: Never.self) {
                if call == .exchange, number == 1 {
                    reader = try Programs.python3.program.start(["-c", script], in: fixture.folder)
                    try fixture.waitForOpener(of: fixture.name)
                }
                // The lease on the rolled-back version is released before it is checked again.
                if call == .remove, let waiting = reader {
                    reader = nil
                    #expect(try waiting.line() == "renamed")
                }
            }
        }
        defer { fixture.calls.forget() }
        try fixture.file.replace(limit: 100, options: .durable, through: fixture.calls) { found in
            (found.contents?.bytes ?? []) + Array(" ours".utf8)
        }
        #expect(try fixture.text() == "before theirs reader ours")
        try fixture.expectClean()
    }

    @Test("A replacement fails with `busy` after ten seconds of continual changes")
    func unstable() throws {
        fixture.calls.before = { [fixture] call, number in
            if call == .statusOfName { #expect(throws: Never.self) { try fixture.renameOver("theirs \(number)") } }
        }
        // Each attempt takes one second.
        fixture.calls.after = { [fixture] call, _ in if call == .openUnnamed { fixture.calls.clockOffset += 1_000_000 }
        }
        let error = #expect(throws: FileError.self) { try fixture.add("ours") }
        #expect(error?.code == .busy && error?.operation == .exchange)
        #expect((10...12).contains(fixture.calls.count(of: .openUnnamed)))
        #expect(error?.description == "\(fixture.file.path): Other programs keep changing the file")
        try fixture.expectClean()
    }
}
