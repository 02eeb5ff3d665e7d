import TestSupport
import Testing

/// What many watches cost the process that has them. It is one of its own: in this one others watch as well.
@Suite("Ten thousand watched files in a hundred folders") struct CrowdTests {
    private static let count = 10_000
    private static let folders = 100

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("take one thread, one kernel watch each and one a folder, no descriptor, and leave nothing when cancelled")
    func crowd() throws {
        for number in 0..<Self.folders { try folder.createFolder("\(number)") }
        for file in 0..<Self.count { try folder.write(name(file), "0") }
        try folder.write("list", (0..<Self.count).map { "\(folder.path(of: name($0)))\n" }.joined())
        let probe = try Program.built("HubProbe").start(["edits", "automatic", "list"], in: folder, input: .lines)
        let process = ObservedProcess(identifier: probe.identifier)

        #expect(try probe.line() == "begin")
        let descriptorsForOne = try process.descriptors()
        try probe.say("go on")
        _ = try probe.line(with: "armed", within: .seconds(120))
        try eventually("no more descriptors") { try process.descriptors() == descriptorsForOne }
        eventually("nothing beside main but the watching thread") { Self.isAlone(try? process.threads()) }
        let watches = try process.watches()
        #expect(watches <= Self.count + Self.folders + 150)
        #expect(try libraryCount(probe) == watches)

        for file in [0, 4_321, 9_999] { try expectEdits(of: file, probe) }
        // Who was told of an edit opens the file for a moment.
        try eventually("no more descriptors") { try process.descriptors() == descriptorsForOne }

        try probe.say("cancel")
        _ = try probe.line(with: "cancelled")
        // What may just be ending is put off for a second.
        try eventually("no watch is left") { try process.watches() == 0 }
        try eventually("the library knows") { try libraryCount(probe) == 0 }
        let end = try probe.end()
        #expect(end.code == 0 && end.messages == "")
    }

    private func name(_ file: Int) -> String { "\(file % Self.folders)/\(file).json" }

    /// A sanitizer has threads of its own.
    private static func isAlone(_ threads: [ObservedProcess.Thread]?) -> Bool {
        let names = threads?.map(\.name) ?? []
        return Sanitizer.isAtWork ? names.count { $0 == "FileWatching" } == 1 : names == ["HubProbe", "FileWatching"]
    }

    private func libraryCount(_ probe: RunningProgram) throws -> Int? {
        try probe.say("statistics")
        return Int(try probe.line(with: "statistics").split(separator: " ").last ?? "")
    }

    /// In place, by renaming over it, and by deleting it and creating it again.
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
