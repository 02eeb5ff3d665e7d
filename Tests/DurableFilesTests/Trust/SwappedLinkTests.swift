import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Links that are swapped in while root uses a path", .asAnyUser, .needs(.setpriv))
struct SwappedLinkTests {
    enum Swap: String, CaseIterable {
        case directory, file, hardLink

        func make(in fixture: MultiUserFixture) throws {
            switch self {
            case .directory:
                try fixture.folder.rename("home/conf", to: "home/moved")
                try fixture.folder.link("home/conf", to: "../system")
                try fixture.give("home/conf", to: MultiUserFixture.user)
            case .file:
                try fixture.folder.link("home/link", to: "../../system/a.json")
                try fixture.give("home/link", to: MultiUserFixture.user)
                try fixture.folder.rename("home/link", to: "home/conf/a.json")
            case .hardLink:
                try #require(link(fixture.path("system/a.json"), fixture.path("home/link")) == 0)
                try fixture.folder.rename("home/link", to: "home/conf/a.json")
            }
        }
    }

    private func fixture() throws -> MultiUserFixture {
        let fixture = try MultiUserFixture()
        try fixture.make("home/conf", owner: MultiUserFixture.user, mode: 0o755)
        try fixture.write("home/conf/a.json", "before", owner: MultiUserFixture.user)
        return fixture
    }

    /// Runs the action once for each of its system calls, with the swap made before that call.
    private func atEachCall(
        _ swap: Swap, do action: (MultiUserFixture) throws -> String?,
        expect: (Result<String?, any Error>, Comment) -> Void
    ) throws {
        let whole = try fixture()
        _ = try action(whole)
        for moment in 1..<whole.calls.made.count {
            let fixture = try fixture()
            var made = 0
            fixture.calls.before = { [fixture] _, _ in
                made += 1
                if made == moment { #expect(throws: Never.self) { try swap.make(in: fixture) } }
            }
            let result = Result { try action(fixture) }
            fixture.calls.forget()
            expect(result, "at call \(moment)")
            try fixture.expectIntact("at call \(moment)")
        }
    }

    @Test("A link swapped in before any call of a replacement diverts no write", arguments: Swap.allCases)
    func whileReplacing(swap: Swap) throws {
        try atEachCall(swap) { fixture in
            try fixture.add("ours", to: "home/conf/a.json").text
        } expect: { result, moment in
            guard case .failure(let error) = result else { return }
            #expect((error as? FileError)?.isUntrusted == true, "\(moment): \(error)")
        }
    }

    @Test("A link swapped in before any call of a read discloses nothing", arguments: Swap.allCases)
    func whileReading(swap: Swap) throws {
        try atEachCall(swap) { fixture in
            try fixture.read("home/conf/a.json")
        } expect: { result, moment in
            let text = (try? result.get()) ?? nil
            #expect(text == nil || text == "before", moment)
        }
    }

    @Test(
        "A directory swapped in for one call in a group-writable directory is not used"
    )
    func forOneCall() throws {
        func fixture() throws -> MultiUserFixture {
            let fixture = try MultiUserFixture()
            try fixture.make("shared/conf", owner: 0, mode: 0o755)
            try fixture.write("shared/conf/a.json", "before", owner: 0)
            try fixture.make("shared/theirs", owner: MultiUserFixture.user, mode: 0o755)
            try fixture.write("shared/theirs/a.json", "planted", owner: MultiUserFixture.user)
            return fixture
        }
        func swapping(_ fixture: MultiUserFixture, at moment: Int) {
            var made = 0
            fixture.calls.before = { [fixture] _, _ in
                made += 1
                #expect(throws: Never.self) {
                    if made == moment {
                        try fixture.folder.rename("shared/conf", to: "shared/roots")
                        try fixture.folder.rename("shared/theirs", to: "shared/conf")
                    } else if made == moment + 1 {
                        try fixture.folder.rename("shared/conf", to: "shared/theirs")
                        try fixture.folder.rename("shared/roots", to: "shared/conf")
                    }
                }
            }
        }
        let whole = try fixture()
        _ = try whole.read("shared/conf/a.json")
        let reading = whole.calls.made.count
        _ = try whole.add("ours", to: "shared/conf/a.json")
        for moment in 1..<reading {
            let fixture = try fixture()
            swapping(fixture, at: moment)
            let text = try? fixture.read("shared/conf/a.json")
            fixture.calls.forget()
            #expect(text == nil || text == "before", "at call \(moment)")
        }
        for moment in 1..<(whole.calls.made.count - reading) {
            let fixture = try fixture()
            swapping(fixture, at: moment)
            _ = try? fixture.add("ours", to: "shared/conf/a.json")
            fixture.calls.forget()
            let texts = ["theirs", "conf", "roots"].compactMap { try? fixture.text("shared/\($0)/a.json") }
            #expect(texts.contains("planted") && !texts.contains("planted ours"), "at call \(moment)")
        }
    }

    @Test("A process that swaps in links repeatedly diverts no read or write")
    func repeatedly() throws {
        let fixture = try fixture()
        let script = """
            cd home; echo ready
            while :; do
                mv conf kept; ln -s ../system conf; rm conf; mv kept conf
                mv conf/a.json conf/kept; ln -s ../../system/a.json conf/a.json; rm -f conf/a.json; mv conf/kept conf/a.json
            done
            """
        let attacker = try Programs.setpriv.program.start(
            MultiUserFixture.command(as: MultiUserFixture.user, script), in: fixture.folder)
        try #require(try attacker.line() == "ready")
        var (written, refused, others) = (0, 0, 0)
        try eventually("300 replacements have ended, some of them rejected") {
            do {
                _ = try fixture.add("ours", to: "home/conf/a.json", .fast)
                written += 1
            } catch let error as FileError where error.isUntrusted {
                refused += 1
            } catch is FileError {
                others += 1
            }
            let text = try? fixture.read("home/conf/a.json")
            #expect(text?.contains("secret") != true)
            return written + refused + others >= 300 && written > 0 && refused > 0
        }
        withExtendedLifetime(attacker) {}
        #expect(try fixture.text("system/a.json") == "secret")
        #expect(try fixture.folder.names().contains("system") && fixture.calls.openDescriptors == [])
    }
}
