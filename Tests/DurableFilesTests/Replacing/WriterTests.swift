import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Writers who have the file open, or want to.
@Suite("Replacing a file that somebody writes to in place")
struct WriterTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test("waits until it is closed", .needs(.python3))
    func waits() throws {
        let writer = try Writer(of: bench.name, in: bench.folder)
        try writer.expectOpen()
        bench.once(before: .pause, 3) { try writer.say("theirs") }
        let replacement = try bench.add("ours")
        #expect(try bench.text() == "before theirs ours" && replacement.lease == .held)
        #expect(bench.calls.pauses == [50, 100, 200])
        try bench.expectClean()
    }

    @Test("lets somebody in who comes before the exchange", .needs(.python3), arguments: [true, false])
    func comesBefore(isSeenBefore: Bool) throws {
        var writer: Writer?
        bench.once(before: isSeenBefore ? .lease : .exchange) {
            writer = try Writer(of: bench.name, in: bench.folder)
            try bench.waitForOpener(of: bench.name)
        }
        bench.calls.after = { call, _ in
            if call == .pause { #expect(throws: Never.self) { try writer.take()?.write("theirs") } }
        }
        let replacement = try bench.add("ours")
        #expect(try bench.text() == "before theirs ours" && replacement.lease == .held)
        #expect(bench.calls.count(of: .exchange) == (isSeenBefore ? 1 : 3))
        try bench.expectClean()
    }

    @Test("takes in what somebody writes who looked the name up before the exchange", .needs(.python3))
    func comesDuring() throws {
        var writer: Writer?
        bench.once(before: .synchronise) {
            // The old version has another name by now.
            let old = try #require(try bench.names().first { $0.contains("sm-swap") })
            writer = try Writer(of: old, in: bench.folder)
            try bench.waitForOpener(of: old)
        }
        bench.calls.after = { call, _ in
            if call == .pause { #expect(throws: Never.self) { try writer.take()?.write("theirs") } }
        }
        let replacement = try bench.add("ours")
        #expect(try bench.text() == "before ours theirs")
        #expect(replacement.method == .exchanged && replacement.leftOvers == [])
        try bench.expectClean()
    }

    @Test("that never closes it goes on after two seconds, and takes in later what is still to come", .needs(.python3))
    func neverCloses() throws {
        bench.calls.pausesForReal = false
        let writer = try Writer(of: bench.name, in: bench.folder)
        try writer.expectOpen()
        let replacement = try bench.add("ours")
        #expect(replacement.lease == .writerStayed && replacement.method == .exchanged)
        #expect(try bench.text() == "before ours")
        let late = try #require(replacement.leftOvers.first)
        #expect(late.contains(".a.json.sm-late-") && replacement.leftOvers.count == 1)

        // What is written to it by now is found by the next one, unless it goes on.
        #expect(try bench.add("more").leftOvers == [late])
        try writer.say("theirs")
        let last = try bench.add("last")
        #expect(try bench.text() == "before ours more theirs last" && last.leftOvers == [])
        try bench.expectClean()
    }

    @Test("is not put off for ever by those who come again and again", .needs(.python3))
    func insists() throws {
        var writers: [Writer] = []
        bench.calls.before = { [bench] call, _ in
            guard call == .synchroniseData, writers.count < 11 else { return }
            #expect(throws: Never.self) {
                writers.append(try Writer(of: bench.name, in: bench.folder))
                try bench.waitForOpener(of: bench.name)
            }
        }
        bench.calls.after = { call, _ in
            if call == .pause { #expect(throws: Never.self) { try writers.last?.writeOnce("theirs\(writers.count)") } }
        }
        try bench.add("ours")
        #expect(writers.count == 11)
        let expected = ["before", "ours"] + (1...11).map { "theirs\($0)" }
        #expect(Set(Words(Array(try bench.text().utf8)).list) == Set(expected))
        try bench.expectClean()
    }

    @Test("keeps what somebody writes who stays, though the caller throws when it is to be merged", .needs(.python3))
    func staysAndThrows() throws {
        bench.calls.pausesForReal = false
        struct NotNow: Error {}
        let writer = try Writer(of: bench.name, in: bench.folder)
        try writer.expectOpen()
        bench.once(before: .synchronise) { try writer.say("theirs", closes: false) }
        var asked = 0
        defer { bench.calls.forget() }
        #expect(throws: NotNow.self) {
            try bench.file.replace(limit: 100, options: .durable, through: bench.calls) { found in
                asked += 1
                if asked == 2 { throw NotNow() }
                return Workbench.next(found, "ours")
            }
        }
        #expect(try asked == 2 && bench.text() == "before ours")
        try writer.close()
        // Ours had been in the file for all to see, and stays.
        #expect(try bench.add("more").text == "before ours theirs more")
        try bench.expectClean()
    }

    @Test("says that somebody stayed, also when it had to be written twice", .needs(.python3))
    func staysAndWrites() throws {
        bench.calls.pausesForReal = false
        try #require(link(bench.file.path, bench.folder.path(of: "other")) == 0)
        let writer = try Writer(of: bench.name, in: bench.folder)
        try writer.expectOpen()
        bench.once(before: .synchronise) { try writer.say("theirs", closes: false) }
        let replacement = try bench.add("ours")
        #expect(replacement.text == "before ours theirs" && replacement.tries == 2)
        #expect(replacement.lease == .writerStayed && replacement.partedLinks == 1)
        #expect(replacement.leftOvers.count == 1)
        try writer.say("later", closes: false)
        try writer.close()
        let last = try bench.add("last")
        #expect(last.text == "before ours theirs last later" || last.text == "before ours theirs later last")
        try bench.expectClean(["a.json", "other"])
    }
}

extension Workbench {
    /// Until the kernel holds somebody back who wants to open it.
    func waitForOpener(of name: String) throws {
        let inode = try inode(name)
        try eventually("somebody waits for the lease") { try Opener.waits(for: inode) }
    }
}
