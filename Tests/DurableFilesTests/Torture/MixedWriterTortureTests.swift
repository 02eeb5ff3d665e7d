import TestSupport
import Testing

@Suite("Four processes replacing one file", .serialized)
struct MixedWriterTortureTests {
    private let workers = ["one", "two", "three", "four"]

    @Test(
        "Four processes lose no edit of another program, however it writes",
        arguments: [WriteMethod.rename, .truncate, .hold, .locked], 1...TortureScale.runs)
    func together(method: WriteMethod, run: Int) throws {
        let notes = try SharedKeyValueFile()
        let running = try workers.map { try notes.worker($0, count: TortureScale.keys, ["PAUSE": 2_000, "FAST": 1]) }
        let other = try notes.externalWriter(method)
        for worker in running { #expect(try worker.end(within: .seconds(300)) == Program.Result(code: 0)) }
        try eventually("the other program has written") { try notes.added(by: "foreign").count > 0 }
        try notes.stop(other)
        try expect(notes, beside: method, run)
    }

    private func expect(_ notes: SharedKeyValueFile, beside method: WriteMethod, _ run: Int) throws {
        #expect(try notes.folder.leftovers() == [])
        let added = try workers.map { try notes.added(by: $0).count }
        #expect(added == workers.map { _ in TortureScale.keys })
        let lost = try workers.map { try notes.lost(by: $0) }.reduce(0, +)
        let (foreign, foreignLost) = (try notes.added(by: "foreign").count, try notes.lost(by: "foreign"))
        print(
            "beside \(method.rawValue), run \(run): own \(added.reduce(0, +)), lost \(lost); ", terminator: "")
        let removed = try notes.writtenToRemovedVersions()
        let unlocked = try workers.map { try notes.added(by: "\($0).unlocked").count }.reduce(0, +)
        let unleased = try workers.map { try notes.added(by: "\($0).unleased").count }.reduce(0, +)
        print("foreign \(foreign), lost \(foreignLost), written to removed versions \(removed)", terminator: "")
        print("; replacements without a lock \(unlocked), without a lease \(unleased)")
        #expect(foreignLost == 0)
        #expect(removed <= 1 + foreign / 1_000)
        if !method.savesStale { #expect(lost == 0) }
    }
}
