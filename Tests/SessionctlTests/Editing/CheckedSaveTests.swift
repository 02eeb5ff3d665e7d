import DurableFiles
import TestSupport
import Testing

@testable import sessionctl

@Suite("Saves that write only checked bytes")
struct CheckedSaveTests {
    private func contents(_ text: String) throws -> FileContents {
        let folder = try TemporaryFolder()
        try folder.write("a", text)
        return try DurableFile(folder.path(of: "a")).read(limit: 100)
    }

    @Test("Bytes are written once they are accepted, and only these") func accepting() throws {
        var save = CheckedSave(isRequired: true)
        let found = FoundFile(contents: try contents("old"))
        #expect(try save.bytes(for: found) { _ in [1] } == nil)
        let text = try #require(save.unchecked)
        #expect(text.bytes == [1] && text.current == Array("old".utf8))
        save.accept(text)
        #expect(try save.bytes(for: found) { _ in [1] } == [1] && save.unchecked == nil)
        #expect(try save.bytes(for: found) { _ in [2] } == nil && save.unchecked?.bytes == [2])
        #expect(try save.bytes(for: found) { _ in Array("old".utf8) } == Array("old".utf8) && save.unchecked == nil)
        #expect(try save.bytes(for: found) { _ in nil } == nil && save.unchecked == nil)
        var unlimited = CheckedSave(isRequired: false)
        #expect(try unlimited.bytes(for: found) { _ in [3] } == [3])
    }

    @Test("Edits that come to light after the bytes were written are merged by the next attempt") func displaced()
        throws
    {
        var save = CheckedSave(isRequired: true)
        let edit = DisplacedEdit(base: [1], bytes: [2])
        let found = FoundFile(contents: try contents("mine"), written: [5], displaced: [edit])
        #expect(try save.bytes(for: found) { _ in [6] } == nil && save.written == [5])
        // Another operation finds the edit without its base, or not at all.
        for left in [[], [DisplacedEdit(base: nil, bytes: [2])], [DisplacedEdit(base: nil, bytes: [3])]] {
            _ = try save.bytes(for: FoundFile(contents: try contents("mine"), displaced: left)) { found in
                #expect(found.written == [5] && found.displaced.first == edit)
                #expect(found.displaced.count == (left.first?.bytes == [3] ? 2 : 1))
                return nil
            }
        }
    }
}
