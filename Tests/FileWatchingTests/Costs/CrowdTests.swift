import TestSupport
import Testing

/// The costs of many watches, measured in a separate process because other tests watch files in this one.
@Suite("Ten thousand watched files") struct CrowdTests {
    private static let count = 10_000
    private static let folders = 100

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Ten thousand watches take one thread, no descriptors and one kernel watch per file and directory")
    func crowd() throws {
        for number in 0..<Self.folders { try folder.createFolder("\(number)") }
        for file in 0..<Self.count { try folder.write(name(file), "0") }
        try folder.write("list", (0..<Self.count).map { "\(folder.path(of: name($0)))\n" }.joined())
        let probe = try Program.built("WatchProbe").start(["edits", "automatic", "list"], in: folder, input: .lines)
        let process = ObservedProcess(identifier: probe.identifier)

        #expect(try probe.line() == "begin")
        let descriptorsForOne = try process.descriptors()
        try probe.say("go on")
        _ = try probe.line(with: "armed", within: .seconds(900))
        try eventually("as many descriptors as before") { try process.descriptors() == descriptorsForOne }
        eventually("only the main and the watching thread run") { Self.hasNoOtherThread(try? process.threads()) }
        let watches = try process.watches()
        #expect(watches <= Self.count + Self.folders + 150)
        #expect(try libraryCount(probe) == watches)

        for file in [0, 4_321, 9_999] { try expectEdits(of: file, probe) }
        // The probe opens a changed file for a moment.
        try eventually("as many descriptors as before") { try process.descriptors() == descriptorsForOne }

        try probe.say("cancel")
        _ = try probe.line(with: "cancelled")
        // Removals of watches that may be ending are deferred for a second.
        try eventually("no kernel watch remains") { try process.watches() == 0 }
        try eventually("the library counts no kernel watch") { try libraryCount(probe) == 0 }
        let end = try probe.end()
        #expect(end.code == 0 && end.messages == "")
    }

    private func name(_ file: Int) -> String { "\(file % Self.folders)/\(file).json" }

    /// A sanitizer creates its own threads.
    private static func hasNoOtherThread(_ threads: [ObservedProcess.Thread]?) -> Bool {
        let names = threads?.map(\.name) ?? []
        return Sanitizer.isActive ? names.count { $0 == "FileWatching" } == 1 : names == ["WatchProbe", "FileWatching"]
    }

    private func libraryCount(_ probe: RunningProgram) throws -> Int? {
        try probe.say("statistics")
        return Int(try probe.line(with: "statistics").split(separator: " ").last ?? "")
    }

    /// Edits the file in place, by renaming another over it, and by deleting and creating it.
    private func expectEdits(of file: Int, _ probe: RunningProgram) throws {
        try folder.write(name(file), "1")
        #expect(try probe.line(with: "\(file) 1 ").hasPrefix("\(file) 1 "))
        try folder.write("new", "2")
        try folder.rename("new", to: name(file))
        #expect(try probe.line(with: "\(file) 2 ").hasPrefix("\(file) 2 "))
        try folder.remove(name(file))
        try folder.write(name(file), "3")
        #expect(try probe.line(with: "\(file) 3 ").hasPrefix("\(file) 3 "))
    }
}
