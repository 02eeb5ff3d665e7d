import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Invalid edits") struct BrokenEditTests {
    enum WriteMethod: CaseIterable {
        case inPlace, byRenaming
    }

    @Test(
        "Invalid content is reported once with its location, the repair once, and the last valid value stays",
        arguments: BrokenEdit.all, WriteMethod.allCases)
    func content(_ edit: BrokenEdit, _ method: WriteMethod) throws {
        let fixture = try BrokenFileFixture()
        try fixture.write(edit.content, method)
        try fixture.checkProblem(edit.code, edit.place, edit.path, edit.words)
        try fixture.write(Array(Gateway.repaired.utf8), method)
        fixture.checkRepair()
    }

    @Test(
        "A non-regular, unreachable or oversized file is reported once, and so is its repair",
        arguments: NonRegularFile.all)
    func nonRegular(_ edit: NonRegularFile) throws {
        try edit.needs.require(for: edit.name)
        let fixture = try BrokenFileFixture()
        try fixture.environment.run(edit.lines)
        try fixture.checkProblem(edit.code, nil, nil, edit.words)
        try fixture.environment.run("rm -rf server.json; mv repaired.json server.json")
        fixture.checkRepair()
    }

    @Test("A file of 1 GiB is rejected without being loaded into memory") func huge() throws {
        let fixture = try BrokenFileFixture()
        let before = try Memory.peak()
        try fixture.environment.run("truncate --size 1G huge.json; mv huge.json server.json")
        try fixture.checkProblem("tooLarge", nil, nil, "1073741824")
        #expect(try Memory.peak() - before < 1 << 30)
        try fixture.write(Array(Gateway.repaired.utf8), .byRenaming)
        fixture.checkRepair()
    }

    @Test("Two successive errors are each reported once, followed by one recovery") func several() throws {
        let fixture = try BrokenFileFixture()
        try fixture.write(Array("{ \"port\": ".utf8), .byRenaming)
        try fixture.checkProblem("syntax", "1:10", nil, "a value")
        try fixture.write(Array("{ \"port\": true }".utf8), .byRenaming)
        eventually("the second error is reported") { fixture.observer.problems.count == 2 }
        #expect(fixture.observer.problems.map(\.code) == [.syntax, .value])
        try fixture.write(Array(Gateway.repaired.utf8), .byRenaming)
        eventually("the repair is loaded") { fixture.observer.recoveries == [fixture.observer.problems[1]] }
        #expect(fixture.observer.session.port == 2)
        #expect(fixture.observer.problems.count == 2)
    }

    @Test("The same error is reported again when it recurs after a repair") func again() throws {
        let fixture = try BrokenFileFixture()
        for round in 1...3 {
            try fixture.write(Array("{ \"port\": ".utf8), .byRenaming)
            eventually("the error is reported") { fixture.observer.problems.count == round }
            try fixture.write(Array(Gateway.lastGood.utf8), .byRenaming)
            eventually("the repair is reported") { fixture.observer.recoveries.count == round }
        }
        #expect(fixture.observer.changes.count == 0)
    }

    @Test("A repeated key is a warning, and its last value is used") func duplicates() throws {
        let fixture = try BrokenFileFixture()
        try fixture.write(Array(#"{ "port": 3, "port": 4 }"#.utf8), .inPlace)
        eventually("the last value is loaded") { fixture.observer.changes.items.last?.new.port == 4 }
        eventually("the warning is delivered") { fixture.observer.problems.map(\.code.name) == ["duplicateKey"] }
        #expect(fixture.observer.session.mirror.status.content == .good)
    }

    @Test("A dangling link counts as a missing file and is not reported") func dangling() throws {
        let fixture = try BrokenFileFixture()
        try fixture.environment.run("ln -sf nowhere.json server.json")
        eventually("the file is missing") { fixture.observer.session.mirror.status.content == .missing }
        #expect(fixture.observer.session.port == 1)
        try fixture.environment.run("mv repaired.json nowhere.json")
        eventually("the new target is loaded") { fixture.observer.changes.items.last?.new.port == 2 }
        #expect(fixture.observer.problems == [])
    }

    @Test(
        "A file that is invalid at first is not overwritten, and the session starts with the defaults",
        arguments: BrokenEdit.all)
    func atFirst(_ edit: BrokenEdit) throws {
        let fixture = try BrokenFileFixture(holding: edit.content)
        #expect(fixture.observer.session[\.self] == Gateway())
        try fixture.checkProblem(edit.code, edit.place, edit.path, edit.words, lastGood: 8080)
        #expect(try fixture.environment.folder.readBytes("server.json") == edit.content)
        try fixture.write(Array(Gateway.repaired.utf8), .byRenaming)
        fixture.checkRepair()
    }
}
