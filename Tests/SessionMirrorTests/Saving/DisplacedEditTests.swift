import DurableFiles
import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("What others wrote that is out of its place") struct DisplacedEditTests {
    private let moment = Moment(nanoseconds: 1_000_000_000)

    /// What a save of nothing makes of an edit that was made of what the file holds, `age` after the program replaced
    /// 1 by 2.
    private func answer(to edit: String, after age: Duration) throws -> Save.Answer {
        let folder = try TemporaryFolder()
        let text = #"{"a": 2, "b": 0}"#
        try folder.write("a.json", text)
        let document = try JSONDocument(parsing: text)
        var own = OwnValues()
        own.saved([ValueChange(path: "/a", old: 1, new: 2)], at: moment)
        let standing = Standing(
            document: document, isMissing: false, common: document.value,
            edition: Edition(document.value, version: .first, origin: .initial, source: .text(document)), own: own)
        let meeting = Meeting(
            file: "a.json", understanding: CheckedDecoding<JSON>(coding: .standard, check: nil), policy: .fileWins)
        var save = Save(standing, on: Save.Ground(meeting: meeting, parsing: .init(), newFile: .changedKeys))
        let found = FoundFile(
            contents: try DurableFile(folder.path(of: "a.json")).read(limit: 1_000),
            displaced: [DisplacedEdit(base: Array(text.utf8), bytes: Array(edit.utf8))])
        _ = try save.bytes(for: found, newest: standing.edition, requests: [], at: moment + age)
        return try #require(save.answer)
    }

    @Test("is merged") func merged() throws {
        let answer = try answer(to: #"{"a": 2, "b": 5}"#, after: .zero)
        #expect(answer.document.text == #"{"a": 2, "b": 5}"# && answer.losses.isEmpty)
    }

    @Test("can be a stale save: what it takes back is put in again, and told") func stale() throws {
        let answer = try answer(to: #"{"a": 1, "b": 5}"#, after: .milliseconds(10))
        #expect(answer.document.text == #"{"a": 2, "b": 5}"#)
        #expect(answer.losses.map(\.code) == [.restored])
    }

    @Test("takes back what was replaced long ago, and that is told") func reverted() throws {
        let answer = try answer(to: #"{"a": 1, "b": 5}"#, after: .seconds(2))
        #expect(answer.document.text == #"{"a": 1, "b": 5}"#)
        #expect(answer.losses.map(\.values) == [JSONConflict(path: "/a", base: 2, ours: 2, theirs: 1)])
        #expect(answer.losses.map(\.code) == [.reverted])
    }
}
