import DurableFiles
import Foundation
import TestSupport
import Testing

/// The system calls as strace reports them, independently of the library and its scripted calls.
@Suite("System calls of one replacement", .needs(.strace))
struct SystemCallTests {
    /// One call: its name, arguments and result.
    fileprivate struct Call {
        let name: String
        let arguments: String
        let result: String

        init?(_ line: Substring) {
            guard let open = line.firstIndex(of: "("), let equals = line.range(of: ") ", options: .backwards) else {
                return nil
            }
            name = String(line[..<open].split(separator: " ").last ?? "")
            arguments = String(line[line.index(after: open)..<equals.lowerBound])
            result = line[equals.upperBound...].trimmingCharacters(in: CharacterSet(charactersIn: " ="))
        }

        func begins(_ text: String) -> Bool { arguments.hasPrefix(text) }
    }

    /// Returns the calls of the third of three replacements, which excludes those made once per process.
    fileprivate static func trace(environment: [String: String] = [:]) throws -> [Call] {
        let folder = try TemporaryFolder()
        try folder.write("f", "~end=1\n")
        let probe = Program.built("ReplaceProbe").path
        let path = folder.path(of: "f")
        let settings = ["PAUSE": "0", "XDG_STATE_HOME": folder.path(of: "state"), "STATE_DIRECTORY": ""]
        let result = try Programs.strace.program.run(
            ["-o", "trace", probe, "work", path, "w", "0", "3", folder.path(of: "log")], in: folder,
            environment: environment.merging(settings) { $1 })
        #expect(result.code == 0, "\(result.messages)")
        let lines = try folder.read("trace").split(separator: "\n")
        let logged = lines.indices.filter { lines[$0].contains("\"w.") && lines[$0].contains("write(") }
        try #require(logged.count == 3)
        // Between closing the log and opening it again.
        return lines[(logged[1] + 2)..<(logged[2] - 1)].compactMap(Call.init)
    }

    @Test("A replacement syncs the contents, exchanges, syncs the directory, and then removes the old version")
    func order() throws {
        let calls = try Self.trace()
        func index(_ name: String, _ test: (Call) -> Bool = { _ in true }) throws -> Int {
            let all = calls.indices.filter { calls[$0].name == name && test(calls[$0]) }
            #expect(all.count == 1, "\(name)")
            return try #require(all.first)
        }
        let folder = try #require(calls.first { $0.name == "openat2" }).result
        let new = try #require(calls.first { $0.arguments.contains("O_TMPFILE") }).result
        let written = try index("pwrite64") { $0.begins("\(new), ") }
        let synced = try index("fdatasync") { $0.begins(new) }
        let exchanged = try index("renameat2") { $0.arguments.hasSuffix("RENAME_EXCHANGE") }
        let nameSynced = try index("fsync") { $0.begins(folder) }
        let removed = try index("unlinkat")
        #expect(written < synced && synced < exchanged && exchanged < nameSynced && nameSynced < removed)
        #expect(
            calls.allSatisfy { $0.result.hasPrefix("-1 EINVAL") || !$0.result.hasPrefix("-1") || $0.isExpectedError })
    }

    @Test("A replacement makes the documented system calls and writes each byte once")
    func table() throws {
        let calls = try Self.trace()
        let own = calls.filter { !$0.isUnrelated && !$0.isDirectoryCheck }
        let counts = Dictionary(grouping: own, by: \.name).mapValues(\.count)
        let page = try String(
            contentsOfFile: "\(#filePath.components(separatedBy: "/Tests/")[0])/\(Self.page)", encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
        let documented = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Int($0[1]) ?? -1) })
        #expect(counts == documented)
        #expect(page.contains("makes \(counts.values.reduce(0, +)) system calls"))
        let written = calls.filter { $0.name == "pwrite64" }.compactMap { Int($0.result) }
        #expect(written == ["w.0=1\nw.1=1\nw.2=1\n~end=1\n".utf8.count])
    }

    private static let page = "Sources/DurableFiles/DurableFiles.docc/ReplacingFiles.md"

    @Test("The trace of a replacement without durability contains no sync call")
    func fast() throws {
        let calls = try Self.trace(environment: ["FAST": "1"])
        #expect(calls.allSatisfy { !["fdatasync", "fsync", "sync", "syncfs"].contains($0.name) })
        #expect(calls.contains { $0.name == "renameat2" })
    }
}

extension SystemCallTests.Call {
    /// Whether the error is an expected answer: no such file, no signal, no attribute.
    fileprivate var isExpectedError: Bool {
        result.hasPrefix("-1 ENOENT") || name == "rt_sigtimedwait" || name == "fremovexattr"
    }

    /// Whether it is the check of a directory of the path, which only a process of root makes.
    fileprivate var isDirectoryCheck: Bool {
        name == "newfstatat" && begins("AT_FDCWD, \"/") && arguments.contains("NOFOLLOW")
    }

    /// Whether the call concerns memory or random numbers.
    fileprivate var isUnrelated: Bool {
        ["brk", "getrandom", "madvise", "mmap", "mprotect", "munmap", "mremap"].contains(name)
    }
}
