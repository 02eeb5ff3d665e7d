import Glibc
import LosslessJSON
import TestSupport
import Testing

@testable import ObjectStore

/// Processes that use one store at the same time, and are killed at random moments.
@Suite("Object store: killed processes", .timeLimit(.minutes(15))) struct ObjectTortureTests {
    /// The versions that an object may have, nil for none: that of the last operation that returned, and those of the
    /// operations after it, which were running when their process was killed.
    private struct Known {
        var acknowledged: Int?
        var attempted: [Int?] = []
    }

    private static let workers = 4
    private static let kills =
        environmentNumber("SESSIONMIRROR_KILLS") ?? (Thoroughness.isFull ? 20 : Sanitizer.isActive ? 4 : 8)
    private static let objects = Thoroughness.isFull ? 1_000 : Sanitizer.isActive ? 100 : 300

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ worker: Int, _ version: Int, _ generator: inout SeededGenerator) throws -> RunningProgram {
        let seed = UInt64.random(in: 0 ... .max, using: &generator)
        return try Program.built("ObjectProbe").start(
            ["use", "store", "w\(worker)", "\(version)", "\(Self.objects)", "\(seed)"], in: folder)
    }

    // The seed is a part of the test's name in failures.
    @Test(
        "Every save and removal that returned is kept; names are used once; the index can always be read",
        arguments: [UInt64.random(in: 1_000...999_999_999)])
    func kills(seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var names: Set<String> = []
        var known: [String: Known] = [:]
        var owners: [String: String] = [:]
        var versions = [Int](repeating: 1, count: Self.workers)
        var programs = try (0..<Self.workers).map { try start($0, 1, &generator) }
        for kill in 0..<Self.kills + Self.workers {
            let worker = kill < Self.kills ? Int.random(in: 0..<Self.workers, using: &generator) : kill - Self.kills
            var lines: [String] = []
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                lines.append(try #require(try programs[worker].line()))
            }
            programs[worker].send(SIGKILL)
            let end = try programs[worker].end()
            #expect(end.messages == "")
            lines += end.output.split(separator: "\n").map(String.init)
            versions[worker] = record(lines, &known, &names)
            try checkIndexes(&owners)
            if kill < Self.kills { programs[worker] = try start(worker, versions[worker], &generator) }
        }
        // What the kills have left is enough to find the newest version of each object without any index.
        let copied = try Program.shell.run(["-c", "cp -a store lost && rm lost/*/index.json"], in: folder)
        #expect(copied.code == 0)
        try check(known, in: ObjectStore(in: folder.path(of: "lost")))
        let store = ObjectStore(in: folder.path(of: "store"))
        let result = try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero)
        #expect(result.damaged == [] && result.missing == [])
        // What all processes have changed has the version of any of them, but can be loaded.
        for number in 0..<10 { _ = try store.load(Payload.self, "shared/\(number)") }
        try check(known, in: store)
        #expect(try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero) == ObjectStoreRepair())
        try checkOrphans()
        try checkLostIndexes()
        let strays = try Program.shell.run(
            [
                "-c",
                "find store -type f | grep -vE '^store/([0-9a-f]{3}/(objects/[0-9a-f]{32}|index.json|[.]index.json[.]sm-.*)|lost.found/.*)$'",
            ],
            in: folder)
        #expect(strays.code == 1 && strays.output == "")
    }

    private func check(_ known: [String: Known], in store: ObjectStore) throws {
        for (identifier, known) in known where !identifier.hasPrefix("shared/") {
            let version = try store.load(Payload.self, identifier)?.version
            #expect(
                version == known.acknowledged || known.attempted.contains(version),
                "\(identifier) in \(store.path): \(version ?? 0), \(known)")
        }
    }

    /// Checks that each file of an object has an entry, and each entry a file.
    private func checkOrphans() throws {
        for number in 0..<Shard.count {
            let shard = "store/\(Shard.directoryName(number))"
            guard let text = try? folder.read("\(shard)/index.json") else { continue }
            let files = try Program.shell.run(["-c", "ls -A \(shard)/objects"], in: folder).output
            let names = try JSON(parsing: text).object?.compactMap { $0.value.string }
            #expect(files.split(separator: "\n").map(String.init).sorted() == names?.sorted(), "\(shard)")
        }
    }

    /// Checks that every object is there after all indexes were removed, emptied, or replaced by older ones.
    private func checkLostIndexes() throws {
        let before = try ObjectStore(in: folder.path(of: "store")).identifiers()
        #expect(before.count > Self.objects / 100)
        try checkObjects(before, after: #"rm "$file""#, areNew: false)
        try checkObjects(before, after: #"echo '{}' >"$file""#, areNew: false)
        // The older indexes name files that do not exist any more.
        #expect(try Program.shell.run(["-c", "cp -r store old"], in: folder).code == 0)
        let store = ObjectStore(in: folder.path(of: "store"))
        for identifier in before {
            let version = try #require(try store.load(Payload.self, identifier)).version
            try store.saveBlocking(Payload(version: -version), as: identifier)
        }
        try checkObjects(before, after: #"cp old/${file#store/} "$file""#, areNew: true)
    }

    private func checkObjects(_ identifiers: [String], after script: String, areNew: Bool) throws {
        let result = try Program.shell.run(
            ["-c", "for file in store/*/index.json; do \(script) || exit; done"], in: folder)
        #expect(result.code == 0)
        let store = ObjectStore(in: folder.path(of: "store"))
        #expect(try store.identifiers() == identifiers)
        for identifier in identifiers {
            let version = try #require(try store.load(Payload.self, identifier)).version
            #expect((version < 0) == areNew)
        }
    }

    @Test("In a store with a limit, what a process just saved stays unless others save as many, and all can be loaded")
    func limit() throws {
        let seed = UInt64.random(in: 1_000...999_999_999)
        var generator = SeededGenerator(seed)
        func start(_ worker: Int) throws -> RunningProgram {
            let number = UInt64.random(in: 0 ... .max, using: &generator)
            return try Program.built("ObjectProbe").start(
                ["fill", "store", "w\(worker)", "1", "100", "\(number)"], in: folder,
                environment: ["LIMIT": "60", "FAST": "1"])
        }
        var programs = try (0..<3).map(start)
        var lines: [String] = []
        for kill in 0..<(Thoroughness.isFull ? 12 : Sanitizer.isActive ? 3 : 6) {
            let worker = kill % 3
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                lines.append(try #require(try programs[worker].line(), "seed \(seed)"))
            }
            programs[worker].send(SIGKILL)
            #expect(try programs[worker].end().messages == "", "seed \(seed)")
            programs[worker] = try start(worker)
        }
        for program in programs {
            program.send(SIGKILL)
            _ = try program.end()
        }
        // While a process is cleaning, others may fill the store with newer objects. If cleaning removed what the
        // process has saved itself, one in six would be lost.
        let lost = lines.filter { $0 != "done" }
        #expect(lost.count * 20 <= lines.count && lost.allSatisfy { $0.hasPrefix("lost ") }, "seed \(seed): \(lost)")
        let store = ObjectStore(in: folder.path(of: "store"))
        let identifiers = try store.identifiers()
        #expect(!identifiers.isEmpty)
        for identifier in identifiers { #expect(try store.load(Payload.self, identifier) != nil, "seed \(seed)") }
        let result = try store.repairBlocking(discardingOrphans: true, orphansOlderThan: .zero)
        #expect(result.damaged == [] && result.missing == [], "seed \(seed)")
        try checkOrphans()
    }

    private struct Payload: Codable {
        var version: Int
    }

    /// Adds what a process has printed; returns the next version.
    private func record(_ lines: [String], _ known: inout [String: Known], _ names: inout Set<String>) -> Int {
        var running: (identifier: String, version: Int?)?
        var next = 1
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            if words.first == "done" {
                // Another process may have replaced what all share.
                if words.count == 2, running?.identifier.hasPrefix("shared/") == false {
                    #expect(names.insert(words[1]).inserted, "\(line) is used twice")
                }
                if let running { known[running.identifier] = Known(acknowledged: running.version) }
                running = nil
            } else if words.count == 3, let version = Int(words[2]) {
                next = version + 1
                switch words[0] {
                case "save": running = (words[1], version)
                case "remove": running = (words[1], nil)
                default: running = nil
                }
            }
        }
        if let running { known[running.identifier, default: Known()].attempted.append(running.version) }
        return next
    }

    /// Checks that each index can be read, and that no name has belonged to another identifier.
    private func checkIndexes(_ owners: inout [String: String]) throws {
        for number in 0..<Shard.count {
            let file = "store/\(Shard.directoryName(number))/index.json"
            guard let text = try? folder.read(file) else { continue }
            for (identifier, name) in try JSON(parsing: text).object ?? [:] {
                guard let name = name.string else { continue }
                #expect(owners[name] == nil || owners[name] == identifier)
                owners[name] = identifier
            }
        }
    }
}
