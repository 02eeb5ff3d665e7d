import TestSupport
import Testing

@Suite("Four processes that replace one file at once", .serialized)
struct CompanyTortureTests {
    private let workers = ["one", "two", "three", "four"]

    @Test(
        "lose nothing of what others write, whatever their way",
        arguments: [Foreigner.rename, .truncate, .hold, .locked], 1...Amount.runs)
    func together(foreigner: Foreigner, run: Int) throws {
        let notes = try SharedNotes()
        let running = try workers.map { try notes.worker($0, count: Amount.keys, ["PAUSE": 2_000, "FAST": 1]) }
        let other = try notes.foreigner(foreigner)
        for worker in running { #expect(try worker.end(within: .seconds(300)) == Program.Result(code: 0)) }
        try eventually("the other one has written") { try notes.added(by: "foreign").count > 0 }
        try notes.stop(other)
        try expect(notes, beside: foreigner, run)
    }

    private func expect(_ notes: SharedNotes, beside foreigner: Foreigner, _ run: Int) throws {
        #expect(try notes.folder.leftOvers() == [])
        let added = try workers.map { try notes.added(by: $0).count }
        #expect(added == workers.map { _ in Amount.keys })
        let lost = try workers.map { try notes.lost(by: $0) }.reduce(0, +)
        let (foreign, foreignLost) = (try notes.added(by: "foreign").count, try notes.lost(by: "foreign"))
        print("beside \(foreigner.rawValue), run \(run): own \(added.reduce(0, +)), lost \(lost); ", terminator: "")
        print("foreign \(foreign), lost \(foreignLost)")
        #expect(foreignLost == 0)
        if !foreigner.savesStale { #expect(lost == 0) }
    }
}
