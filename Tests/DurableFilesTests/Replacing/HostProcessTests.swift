import CLinux
import DurableFiles
import FileScripts
import Foundation
import Glibc
import TestSupport
import Testing

/// Effects of replacements on the process itself and on its children.
@Suite("Effects of replacements on the process")
struct HostProcessTests {
    private let fixture: ReplaceFixture
    private let probe = Program.built("ReplaceProbe")

    init() throws { fixture = try ReplaceFixture() }

    @Test("A lease break delivers no signal to the process")
    func signals() throws {
        let result = try probe.run(["signals", fixture.file.path], in: fixture.folder)
        #expect(result == Program.Result(code: 0, output: "0 signals, none pending\n"))
        #expect(try fixture.text() == "replaced")
        try fixture.expectClean()
    }

    @Test(
        "A child forked during a replacement holds no lock, lease or descriptor of it",
        arguments: [true, false])
    func forks(dies: Bool) throws {
        let program = try probe.start(["fork", fixture.file.path, dies ? "die" : "live"], in: fixture.folder)
        #expect(try program.line() == "the child holds 0")
        if dies {
            try eventually("the parent has ended") { try !isAlive(program.identifier) }
        } else {
            #expect(try program.line() == "replaced")
        }
        let folder = try Descriptor.open(fixture.folder.path, O_RDONLY)
        #expect(clinux_lock(folder, LOCK_EX | LOCK_NB) == 0)
        close(folder)
        let file = try Descriptor.open(fixture.file.path, O_RDWR | O_NONBLOCK)
        close(file)

        let replacement = try fixture.add("after")
        #expect(replacement.lock == .held && replacement.lease == .held)
        #expect(try Set(["before after", "replaced after"]).contains(fixture.text()))
        try fixture.expectClean()
    }

    /// Returns whether the process runs; a zombie does not.
    private func isAlive(_ identifier: Int32) throws -> Bool {
        guard let status = try? Descriptor.contents(of: "/proc/\(identifier)/stat") else { return false }
        return !String(decoding: status, as: UTF8.self).contains(") Z ")
    }

    @Test("A program started during a replacement inherits no descriptor")
    func starts() throws {
        var held: [String] = []
        fixture.once(before: .exchange) { [fixture] in
            let result = try Program.shell.run(["-c", "ls -l /proc/self/fd"], in: fixture.folder)
            held = result.output.split(separator: "\n").filter { $0.contains(fixture.folder.path) }.map(String.init)
        }
        try fixture.add("after")
        #expect(held == [])
        #expect(fixture.calls.count(of: .exchange) == 1)
    }

    @Test("Threads that replace one file at once lose no edit")
    func threads() throws {
        let path = fixture.file.path
        onThreads(4) { thread in
            for round in 0..<25 {
                #expect(throws: Never.self) {
                    try DurableFile(path).replace(limit: 10_000) { ReplaceFixture.next($0, "\(thread).\(round)") }
                }
            }
        }
        #expect(try WordList(fixture.folder.readBytes(fixture.name)).list.count == 101)
        try fixture.expectClean()
    }
}
