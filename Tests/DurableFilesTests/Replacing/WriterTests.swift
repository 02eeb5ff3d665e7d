import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Writers that have the file open, or wait to open it.
@Suite("Replacing a file that is written in place")
struct WriterTests {
    private let fixture: ReplaceFixture

    init() throws { fixture = try ReplaceFixture() }

    @Test("A replacement waits until a writer closes the file", .needs(.python3))
    func waits() throws {
        let writer = try WriterProcess(of: fixture.name, in: fixture.folder)
        try writer.expectOpen()
        fixture.once(before: .pause, 3) { try writer.say("theirs") }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before theirs ours" && replacement.lease == .held)
        #expect(fixture.calls.pauses == [50, 100, 200])
        try fixture.expectClean()
    }

    @Test("A writer that opens the file before the exchange writes first", .needs(.python3), arguments: [true, false])
    func opensBeforeExchange(isSeenBefore: Bool) throws {
        var writer: WriterProcess?
        fixture.once(before: isSeenBefore ? .lease : .exchange) {
            writer = try WriterProcess(of: fixture.name, in: fixture.folder)
            try fixture.waitForOpener(of: fixture.name)
        }
        fixture.calls.after = { call, _ in
            if call == .pause { #expect(throws: Never.self) { try writer.take()?.write("theirs") } }
        }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before theirs ours" && replacement.lease == .held)
        #expect(fixture.calls.count(of: .exchange) == (isSeenBefore ? 1 : 3))
        try fixture.expectClean()
    }

    @Test("An edit by a writer that opens the old version during the exchange is merged", .needs(.python3))
    func opensDuringExchange() throws {
        var writer: WriterProcess?
        fixture.once(before: .synchronize) {
            // The old version has another name now.
            let old = try #require(try fixture.names().first { $0.contains("sm-swap") })
            writer = try WriterProcess(of: old, in: fixture.folder)
            try fixture.waitForOpener(of: old)
        }
        fixture.calls.after = { call, _ in
            if call == .pause { #expect(throws: Never.self) { try writer.take()?.write("theirs") } }
        }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before ours theirs")
        #expect(replacement.method == .exchanged && replacement.leftovers == [])
        try fixture.expectClean()
    }

    @Test("A replacement proceeds beside a writer that stays open, and a later one merges its edit", .needs(.python3))
    func neverCloses() throws {
        fixture.calls.pausesForReal = false
        let writer = try WriterProcess(of: fixture.name, in: fixture.folder)
        try writer.expectOpen()
        let replacement = try fixture.add("ours")
        #expect(replacement.lease == .writerDidNotClose && replacement.method == .exchanged)
        #expect(try fixture.text() == "before ours")
        let late = try #require(replacement.leftovers.first)
        #expect(late.contains(".a.json.sm-displaced-") && replacement.leftovers.count == 1)

        // The next replacement finds what has been written, unless the writer continues.
        #expect(try fixture.add("more").leftovers == [late])
        try writer.say("theirs")
        let last = try fixture.add("last")
        #expect(try fixture.text() == "before ours more theirs last" && last.leftovers == [])
        try fixture.expectClean()
    }

    @Test(
        "A replacement completes although writers keep opening the file, and their edits are merged", .needs(.python3))
    func givesWayTenTimes() throws {
        var writers: [WriterProcess] = []
        fixture.calls.before = { [fixture] call, _ in
            guard call == .synchronizeData, writers.count < 11 else { return }
            #expect(throws: Never.self) {
                writers.append(try WriterProcess(of: fixture.name, in: fixture.folder))
                try fixture.waitForOpener(of: fixture.name)
            }
        }
        fixture.calls.after = { call, _ in
            if call == .pause { #expect(throws: Never.self) { try writers.last?.writeOnce("theirs\(writers.count)") } }
        }
        try fixture.add("ours")
        #expect(writers.count == 11)
        let expected = ["before", "ours"] + (1...11).map { "theirs\($0)" }
        #expect(Set(WordList(Array(try fixture.text().utf8)).list) == Set(expected))
        try fixture.expectClean()
    }

    @Test("Writers that keep opening the file delay a replacement by two seconds at most", .needs(.python3))
    func givesWayBriefly() throws {
        var writers: [WriterProcess] = []
        fixture.calls.before = { [fixture] call, _ in
            guard call == .synchronizeData, writers.count < 2 else { return }
            // Simulates a slow disk.
            fixture.calls.clockOffset += 2_000_000
            #expect(throws: Never.self) {
                writers.append(try WriterProcess(of: fixture.name, in: fixture.folder))
                try fixture.waitForOpener(of: fixture.name)
            }
        }
        fixture.calls.after = { call, _ in
            if call == .pause { #expect(throws: Never.self) { try writers.last?.writeOnce("theirs\(writers.count)") } }
        }
        let replacement = try fixture.add("ours")
        // The first writer goes first, the second one waits, and its edit is merged.
        #expect(writers.count == 2 && replacement.tries == 3)
        #expect(Set(WordList(Array(try fixture.text().utf8)).list) == ["before", "ours", "theirs1", "theirs2"])
        try fixture.expectClean()
    }

    @Test("An edit of a writer that stays open is kept if the closure throws", .needs(.python3))
    func staysAndThrows() throws {
        fixture.calls.pausesForReal = false
        struct NotNow: Error {}
        let writer = try WriterProcess(of: fixture.name, in: fixture.folder)
        try writer.expectOpen()
        fixture.once(before: .synchronize) { try writer.say("theirs", closes: false) }
        var asked = 0
        defer { fixture.calls.forget() }
        #expect(throws: NotNow.self) {
            try fixture.file.replace(limit: 100, options: .durable, through: fixture.calls) { found in
                asked += 1
                if asked == 2 { throw NotNow() }
                return ReplaceFixture.next(found, "ours")
            }
        }
        #expect(try asked == 2 && fixture.text() == "before ours")
        try writer.close()
        // The word "ours" was visible in the file, so it stays.
        #expect(try fixture.add("more").text == "before ours theirs more")
        try fixture.expectClean()
    }

    @Test("A writer that stays open is reported even if the file is written twice", .needs(.python3))
    func staysAndWrites() throws {
        fixture.calls.pausesForReal = false
        try #require(link(fixture.file.path, fixture.folder.path(of: "other")) == 0)
        let writer = try WriterProcess(of: fixture.name, in: fixture.folder)
        try writer.expectOpen()
        fixture.once(before: .synchronize) { try writer.say("theirs", closes: false) }
        let replacement = try fixture.add("ours")
        #expect(replacement.text == "before ours theirs" && replacement.tries == 2)
        #expect(replacement.lease == .writerDidNotClose && replacement.linksToOldVersion == 1)
        #expect(replacement.leftovers.count == 1)
        try writer.say("later", closes: false)
        try writer.close()
        let last = try fixture.add("last")
        #expect(last.text == "before ours theirs last later" || last.text == "before ours theirs later last")
        try fixture.expectClean(["a.json", "other"])
    }
}

extension ReplaceFixture {
    /// Waits until the kernel blocks a process that opens the file.
    func waitForOpener(of name: String) throws {
        let inode = try inode(name)
        try eventually("a process waits for the lease") { try LeaseBreaks.isPending(for: inode) }
    }
}
