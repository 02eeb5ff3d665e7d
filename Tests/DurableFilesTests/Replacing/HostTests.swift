import CLinux
import DurableFiles
import FileScripts
import Foundation
import Glibc
import TestSupport
import Testing

/// What replacing files does to the process that does it, and to its children.
@Suite("A process that replaces files")
struct HostTests {
    private let bench: Workbench
    private let probe = Program.built("ReplaceProbe")

    init() throws { bench = try Workbench() }

    @Test("gets no signal when somebody waits for a lease, not even in the moment when it is taken")
    func signals() throws {
        let result = try probe.run(["signals", bench.file.path], in: bench.folder)
        #expect(result == Program.Result(code: 0, output: "0 signals, none pending\n"))
        #expect(try bench.text() == "replaced")
        try bench.expectClean()
    }

    @Test(
        "keeps lock, leases and descriptors from a child that it forks meanwhile and that lives on",
        arguments: [true, false])
    func forks(dies: Bool) throws {
        let program = try probe.start(["fork", bench.file.path, dies ? "die" : "live"], in: bench.folder)
        #expect(try program.line() == "the child holds 0")
        if dies {
            try eventually("the parent is gone") { try !isAlive(program.identifier) }
        } else {
            #expect(try program.line() == "replaced")
        }
        let folder = try Descriptor.open(bench.folder.path, O_RDONLY)
        #expect(clinux_lock(folder, LOCK_EX | LOCK_NB) == 0)
        close(folder)
        let file = try Descriptor.open(bench.file.path, O_RDWR | O_NONBLOCK)
        close(file)

        let replacement = try bench.add("after")
        #expect(replacement.lock == .held && replacement.lease == .held)
        #expect(try Set(["before after", "replaced after"]).contains(bench.text()))
        try bench.expectClean()
    }

    /// A process that is dead but has not been waited for is not alive.
    private func isAlive(_ identifier: Int32) throws -> Bool {
        guard let status = try? Descriptor.contents(of: "/proc/\(identifier)/stat") else { return false }
        return !String(decoding: status, as: UTF8.self).contains(") Z ")
    }

    @Test("hands no descriptor to programs that it starts meanwhile")
    func starts() throws {
        var held: [String] = []
        bench.once(before: .exchange) { [bench] in
            let result = try Program.shell.run(["-c", "ls -l /proc/self/fd"], in: bench.folder)
            held = result.output.split(separator: "\n").filter { $0.contains(bench.folder.path) }.map(String.init)
        }
        try bench.add("after")
        #expect(held == [])
        #expect(bench.calls.count(of: .exchange) == 1)
    }

    @Test("and threads that do it at the same time wait for each other, and lose nothing")
    func threads() throws {
        let path = bench.file.path
        onThreads(4) { thread in
            for round in 0..<25 {
                #expect(throws: Never.self) {
                    try DurableFile(path).replace(limit: 10_000) { Workbench.next($0, "\(thread).\(round)") }
                }
            }
        }
        #expect(try Words(bench.folder.readBytes(bench.name)).list.count == 101)
        try bench.expectClean()
    }
}
