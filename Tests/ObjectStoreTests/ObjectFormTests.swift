import FoundationEssentials
import Glibc
import StandardFolders
import TestSupport
import Testing

@testable import ObjectStore

// Other encoders, and folders.
extension ObjectStoreTests {
    @Test("An object that another encoder has encoded is saved as bytes") func encodings() async throws {
        struct Failure: Error {}
        let encode = { (text: String) in Array(text.utf8.reversed()) }
        let decode = { (bytes: [UInt8]) in String(decoding: bytes.reversed(), as: UTF8.self) }
        try await store.save("hello", as: "a", encoding: encode)
        #expect(try store.load("a", decoding: decode) == "hello" && store.loadBytes("a") == Array("olleh".utf8))
        try store.saveBlocking("again", as: "a", encoding: encode)
        #expect(try other.load("a", decoding: decode) == "again" && store.load("b", decoding: decode) == nil)
        // `Data`, a slice, and a view of a text are bytes, too.
        try store.saveBlocking(bytes: Data([1, 2]), as: "data")
        try store.saveBlocking(bytes: [0, 1, 2].dropFirst(), as: "slice")
        try await store.save(2, as: "encoded") { Data([1, $0]) }
        for identifier in ["data", "slice", "encoded"] { #expect(try store.loadBytes(identifier) == [1, 2]) }
        #expect(throws: Failure.self) { try store.saveBlocking(1, as: "a") { _ -> [UInt8] in throw Failure() } }
        #expect(throws: Failure.self) { try store.load("a") { _ -> Int in throw Failure() } }
        #expect(throws: ObjectStoreError.self) { try store.load(Int.self, "a") }
    }

    @Test("The type of an object follows from the context, or is named") func types() throws {
        try store.saveBlocking(7, as: "a")
        let number: Int? = try store.load("a")
        #expect(try number == 7 && store.load(Int.self, "a") == 7)
        // Without a label, bytes are an array of numbers.
        try store.saveBlocking([UInt8(255)], as: "a")
        #expect(try store.load([Int].self, "a") == [255])
    }

    @Test("A store in a folder below no home directory says so; one in a folder is at its path") func folders() throws {
        let folders = Folders(of: "notes", isOwn: true, in: .made([:], home: nil))
        let lost = ObjectStore(in: folders.data)
        for use in [{ try lost.saveBlocking(1, as: "a") }, { _ = try lost.identifiers() }] as [() throws -> Void] {
            let error = try #require(throws: ObjectStoreError.self) { try use() }
            #expect(
                error.description.hasPrefix("there is no home directory for /nonexistent/.local/share/notes: set HOME"))
        }
        let environment = ProgramEnvironment.made(["XDG_CACHE_HOME": folder.path], home: nil)
        let images = ObjectStore(
            in: Folders(of: "notes", isOwn: true, in: environment).cache, limit: .count(10), durability: .fast)
        try images.saveBlocking(1, as: "a")
        #expect(images.path == folder.path(of: "notes") && exists("notes"))
        #expect(ObjectStore.shared.path == Folders.data / "objects")
    }
}

// What other processes and the system see.
extension ObjectStoreTests {
    @Test("Loading, and saving in another shard, do not wait for the lock of a shard", .needs(.flock))
    func lockedShard() throws {
        let elsewhere = try #require(
            (0..<100).map { "elsewhere \($0)" }.first { Shard.number(of: $0) != Shard.number(of: "a") })
        for identifier in ["a", elsewhere] { try store.saveBlocking(0, as: identifier) }
        // A save proceeds without the lock after five seconds, which a busy machine may take for the rest.
        var isWaiting = false
        for round in 1...5 where !isWaiting {
            let holder = try Programs.flock.program.start(
                [String(index(of: "a").dropLast("/index.json".count)), "sh", "-c", "echo held; read line"], in: folder,
                input: .lines)
            #expect(try holder.line() == "held")
            let saved = Received<Int>()
            let thread = TestThread { [store] in
                do {
                    try store.saveBlocking(round, as: "a")
                    saved.add(round)
                } catch {
                    Issue.record(error)
                }
            }
            #expect(try store.load(Int.self, "a") == round - 1)
            try store.saveBlocking(round, as: elsewhere)
            #expect(try store.load(Int.self, elsewhere) == round)
            isWaiting = saved.count == 0
            holder.closeInput()
            _ = try holder.end()
            thread.join()
            #expect(try store.load(Int.self, "a") == round)
        }
        #expect(isWaiting)
    }

    /// The calls of a process that saves a number, each with the paths of its descriptors.
    private func trace(_ number: Int, environment: [String: String] = [:]) throws -> [String] {
        let result = try Programs.strace.program.run(
            [
                "-f", "-y", "-o", "trace", "-e",
                "trace=fdatasync,fsync,sync_file_range,linkat,renameat,renameat2,unlinkat",
                Program.built("ObjectProbe").path, "save", "store", "a", "\(number)",
            ], in: folder, environment: environment)
        #expect(result.code == 0 && result.output == "\(number)\n", "\(result)")
        return try folder.read("trace").split(separator: "\n").map(String.init)
    }

    @Test("A save syncs the object, its name and the index before it removes the old file", .needs(.strace))
    func order() throws {
        try store.saveBlocking(1, as: "a")
        let old = try file(of: "a").suffix(32)
        let calls = try trace(2)
        let new = try file(of: "a").suffix(32)
        let shard = "\(folder.path(of: String(index(of: "a").dropLast("/index.json".count))))>"
        func position(after start: Int = -1, _ name: String, _ text: String) throws -> Int {
            try #require(
                calls.indices.first { $0 > start && calls[$0].contains(" \(name)(") && calls[$0].contains(text) },
                "\(name) \(text) in \(calls)")
        }
        let written = try position("fdatasync", "/objects/")
        let named = try position(after: written, "linkat", "\(new)\"")
        let nameSynced = try position(after: named, "fsync", "/objects>")
        let renamed = try position(after: nameSynced, "renameat2", "index.json\"")
        let indexSynced = try position(after: renamed, "fsync", shard)
        _ = try position(after: indexSynced, "unlinkat", "\(old)\"")
        #expect(calls.filter { $0.contains("\"\(old)\"") }.count == 1)
    }

    @Test("A save of what the store has syncs what another process may not have synced yet", .needs(.strace))
    func unchanged() throws {
        try store.saveBlocking(1, as: "a")
        let calls = try trace(1)
        let shard = folder.path(of: String(index(of: "a").dropLast("/index.json".count)))
        for path in [store.path, shard, "\(shard)/objects"] {
            #expect(calls.contains { $0.contains(" fsync(") && $0.contains("\(path)>") }, "\(path) in \(calls)")
        }
        // A sanitizer removes a file of its own.
        #expect(!calls.contains { $0.contains(store.path) && $0.contains("link") }, "\(calls)")
    }

    @Test("A fast save syncs nothing", .needs(.strace)) func fast() throws {
        // Creating directories syncs them.
        try store.saveBlocking(0, as: "a")
        let calls = try trace(1, environment: ["FAST": "1"]) + trace(2, environment: ["FAST": "1"])
        #expect(calls.contains { $0.contains("linkat(") } && !calls.contains { $0.contains("sync") }, "\(calls)")
    }

    @Test(
        "Where an ordinary user may not write, the object stays, and the error says so", .asAnyUser, .needs(.setpriv),
        arguments: ["objects", "."])
    func readOnly(directory: String) throws {
        try store.saveBlocking(1, as: "a")
        let shard = index(of: "a").dropLast("index.json".count)
        _ = try shell("chown -R 65534:65534 . && chmod 500 \(shard)\(directory)")
        func run(_ arguments: String...) throws -> String {
            let result = try Programs.setpriv.program.run(
                ["--reuid=65534", "--regid=65534", "--clear-groups", Program.built("ObjectProbe").path] + arguments,
                in: folder)
            #expect(result.code == 0, "\(result)")
            return result.output
        }
        let message = try run("save", "store", "a", "2")
        #expect(message.contains("ermission"), "\(message)")
        #expect(try run("load", "store", "a") == "1\n")
        _ = try shell("chmod 700 \(shard)\(directory)")
        #expect(try run("save", "store", "a", "2") == "2\n")
    }
}
