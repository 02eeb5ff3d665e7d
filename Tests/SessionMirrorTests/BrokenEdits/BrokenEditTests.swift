import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Broken edits") struct BrokenEditTests {
    enum Way: CaseIterable {
        case inPlace, byRenaming
    }

    @Test(
        "readers stay on the last good value, the problem is told once with its place, and so is the repair",
        arguments: BrokenEdit.all, Way.allCases)
    func content(_ edit: BrokenEdit, _ way: Way) throws {
        let stage = try BrokenStage()
        try stage.write(edit.content, way)
        try stage.checkProblem(edit.code, edit.place, edit.path, edit.words)
        try stage.write(Array(Gateway.repaired.utf8), way)
        stage.checkRepair()
    }

    @Test("what is no text at all is told as well, and so is its repair", arguments: BrokenPlace.all)
    func place(_ edit: BrokenPlace) throws {
        try edit.needs.require(for: edit.name)
        let stage = try BrokenStage()
        try stage.place.run(edit.lines)
        try stage.checkProblem(edit.code, nil, nil, edit.words)
        try stage.place.run("rm -rf server.json; mv repaired.json server.json")
        stage.checkRepair()
    }

    @Test("a gigabyte is refused and not read") func huge() throws {
        let stage = try BrokenStage()
        let before = try Memory.peak()
        try stage.place.run("truncate --size 1G huge.json; mv huge.json server.json")
        try stage.checkProblem("tooLarge", nil, nil, "1073741824")
        #expect(try Memory.peak() - before < 1 << 30)
        try stage.write(Array(Gateway.repaired.utf8), .byRenaming)
        stage.checkRepair()
    }

    @Test("one mistake after the other is told, each once, and one repair") func several() throws {
        let stage = try BrokenStage()
        try stage.write(Array("{ \"port\": ".utf8), .byRenaming)
        try stage.checkProblem("syntax", "1:11", nil, "a value")
        try stage.write(Array("{ \"port\": true }".utf8), .byRenaming)
        eventually("the second is told") { stage.onlooker.problems.count == 2 }
        #expect(stage.onlooker.problems.map(\.code) == [.syntax, .value])
        try stage.write(Array(Gateway.repaired.utf8), .byRenaming)
        eventually("the repair arrives") { stage.onlooker.recoveries == [stage.onlooker.problems[1]] }
        #expect(stage.onlooker.session.port == 2)
        #expect(stage.onlooker.problems.count == 2)
    }

    @Test("the same mistake made again after its repair is told again") func again() throws {
        let stage = try BrokenStage()
        for round in 1...3 {
            try stage.write(Array("{ \"port\": ".utf8), .byRenaming)
            eventually("it is told") { stage.onlooker.problems.count == round }
            try stage.write(Array(Gateway.lastGood.utf8), .byRenaming)
            eventually("the repair is told") { stage.onlooker.recoveries.count == round }
        }
        #expect(stage.onlooker.changes.count == 0)
    }

    @Test("a key that stands twice is no problem: the last one counts") func duplicates() throws {
        let stage = try BrokenStage()
        try stage.write(Array(#"{ "port": 3, "port": 4 }"#.utf8), .inPlace)
        eventually("the last one arrives") { stage.onlooker.changes.items.last?.new.port == 4 }
        #expect(stage.onlooker.problems == [])
        #expect(stage.onlooker.session.mirror.status.content == .good)
    }

    @Test("a link that leads nowhere is a missing file, and no problem") func dangling() throws {
        let stage = try BrokenStage()
        try stage.place.run("ln -sf nowhere.json server.json")
        eventually("it is missing") { stage.onlooker.session.mirror.status.content == .missing }
        #expect(stage.onlooker.session.port == 1)
        try stage.place.run("mv repaired.json nowhere.json")
        eventually("it arrives") { stage.onlooker.changes.items.last?.new.port == 2 }
        #expect(stage.onlooker.problems == [])
    }

    @Test("a file that is broken at first is left alone, and the defaults are served", arguments: BrokenEdit.all)
    func atFirst(_ edit: BrokenEdit) throws {
        let stage = try BrokenStage(holding: edit.content)
        #expect(stage.onlooker.session[\.self] == Gateway())
        try stage.checkProblem(edit.code, edit.place, edit.path, edit.words, lastGood: 8080)
        #expect(try stage.place.folder.readBytes("server.json") == edit.content)
        try stage.write(Array(Gateway.repaired.utf8), .byRenaming)
        stage.checkRepair()
    }
}
