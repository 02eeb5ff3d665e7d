import TestSupport
import Testing

@testable import ObjectStore

@Suite("Object store: limits") struct ObjectLimitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ limit: ObjectStore.Limit) -> ObjectStore {
        ObjectStore(in: folder.path(of: "store"), limit: limit, durability: .fast)
    }

    /// Moves the times of all files into the past, so that a new use is later in any case.
    private func age(bySeconds seconds: Int, _ times: String = "") throws {
        let result = try Program.shell.run(
            [
                "-c",
                "find store -regex '.*/[0-9a-f]*' -type f | xargs touch \(times) -d @$(($(date +%s) - \(seconds)))",
            ],
            in: folder)
        #expect(result.code == 0, "\(result)")
    }

    @Test("The objects that were neither saved nor loaded for longest are removed until a tenth is free")
    func count() throws {
        let store = store(.count(20))
        for number in 0..<20 { try store.saveBlocking(number, as: "a/\(number)") }
        #expect(try store.identifiers().count == 20)
        try age(bySeconds: 60)
        for number in 5..<20 { #expect(try store.load(Int.self, "a/\(number)") == number) }
        // Saved again, with the contents that it has.
        try store.saveBlocking(0, as: "a/0")
        try store.saveBlocking(20, as: "a/20")
        // One and two of those that were not used are left.
        #expect(try store.identifiers().count == 18)
        for number in [0] + Array(5...20) { #expect(try store.load(Int.self, "a/\(number)") == number) }
        #expect(try store.repairBlocking(discardingOrphans: false, orphansOlderThan: .zero) == ObjectStoreRepair())
    }

    @Test("The size of all files stays within the limit; an object that exceeds it alone is an error") func bytes()
        throws
    {
        let store = store(.bytes(10_000))
        for number in 0..<30 {
            try store.saveBlocking(bytes: [UInt8](repeating: 1, count: 1_000), as: "\(number)")
            let size = try Program.shell.run(
                [
                    "-c",
                    "find store -regex '.*/[0-9a-f]*' -type f -printf '%s\\n' | awk '{ sum += $1 } END { print sum }'",
                ],
                in: folder)
            #expect(try #require(Int(size.output.dropLast())) <= 10_000)
        }
        #expect(try store.loadBytes("29")?.count == 1_000)
        // More than the part of the limit that is left after cleaning.
        try store.saveBlocking(bytes: [UInt8](repeating: 1, count: 9_900), as: "large")
        #expect(try store.identifiers() == ["large"])
        try store.saveBlocking(bytes: [UInt8](repeating: 1, count: 1_000), as: "29")
        let error = try #require(throws: ObjectStoreError.self) {
            try store.saveBlocking(bytes: [UInt8](repeating: 1, count: 10_000), as: "29")
        }
        #expect(error.description.hasSuffix("\"29\" needs 10061 bytes, and the limit of the store is 10000"))
        #expect(try store.loadBytes("29")?.count == 1_000)
    }

    @Test("An object past its age is not loaded, and removed by a later save; saving it again makes it young")
    func age() throws {
        let limit: ObjectStore.Limit = [.age(.seconds(100)), .count(1_000)]
        for name in ["a", "b", "c"] { try store(limit).saveBlocking(1, as: name) }
        try age(bySeconds: 90)
        // Not used for long is not old.
        try age(bySeconds: 110, "-a")
        #expect(try store(limit).load(Int.self, "a") == 1)
        try age(bySeconds: 110)
        #expect(try store(limit).load(Int.self, "a") == nil)
        #expect(try store([]).load(Int.self, "a") == 1)
        try store(limit).saveBlocking(1, as: "b")
        #expect(try store(limit).identifiers() == ["b"])
        #expect(try store(limit).load(Int.self, "b") == 1)
    }

    private func shell(_ script: String) throws -> String {
        let result = try Program.shell.run(["-c", script], in: folder)
        #expect(result.code == 0, "\(result)")
        return result.output
    }

    @Test("A store with a limit deletes files without an entry when they are older than a minute") func leftovers()
        throws
    {
        try store(.count(100)).saveBlocking(1, as: "a")
        let name = String(repeating: "0", count: 32)
        _ = try shell("echo x >$(dirname $(find store -name index.json))/objects/\(name)")
        try store(.count(100)).saveBlocking(2, as: "a")
        #expect(try shell("find store -name \(name)") != "")
        _ = try shell("touch -d '2 minutes ago' $(find store -name \(name))")
        try store(.count(100)).saveBlocking(3, as: "a")
        #expect(try shell("find store -name \(name); ls -A store | grep lost || true") == "")
    }

    @Test("A small limit of the count leaves space for one more object, so that not each save cleans") func smallCount()
        throws
    {
        let store = store(.count(5))
        for number in 0..<6 { try store.saveBlocking(number, as: "\(number)") }
        #expect(try store.identifiers().count == 4)
        try store.saveBlocking(6, as: "6")
        #expect(try store.identifiers().count == 5)
    }

    @Test("A shard that cannot be read does not keep the others within no limit; repair says why it cannot")
    func brokenPart()
        throws
    {
        let store = store(.count(5))
        try store.saveBlocking(1, as: "broken")
        _ = try shell("cd store/* && mv objects elsewhere && echo x >objects")
        for number in 0..<20 { try store.saveBlocking(number, as: "\(number)") }
        #expect(try Int(shell("find store -path '*/objects/*' -type f | wc -l").dropLast()) ?? 0 <= 6)
        #expect(throws: ObjectStoreError.self) { try store.repairBlocking() }
    }

    @Test("Without a limit, loading changes no file") func unlimited() throws {
        let store = store([])
        try store.saveBlocking(1, as: "a")
        try age(bySeconds: 60)
        func times() throws -> String {
            try Program.shell.run(["-c", "find store -type f -printf '%A@ %T@ %C@\\n'"], in: folder).output
        }
        // The kernel itself records the first access after a change.
        #expect(try store.load(Int.self, "a") == 1)
        let before = try times()
        for _ in 0..<3 { #expect(try store.load(Int.self, "a") == 1) }
        #expect(try times() == before)
    }
}
