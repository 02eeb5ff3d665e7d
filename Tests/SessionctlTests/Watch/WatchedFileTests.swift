import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@testable import sessionctl

@Suite("A file of sessionctl watch") struct WatchedFileTests {
    @Test("A command waits for the version that made the file valid, whose event may arrive after the status")
    func firstValue() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.json", "{")
        let path = folder.path(of: "a.json")
        var arguments = Arguments()
        arguments.operands = [path]
        arguments.add(.initial, value: "")
        let request = try WatchRequest(arguments)
        let queue = try EventQueue()
        var file = try WatchedFile(path, request)
        #expect(!file.isUsable)
        file.subscribe(queue, as: 0)
        defer { file.cancel() }
        // Taken before it is shown, as by a thread that is late.
        var newest: Snapshot<JSON>?
        try folder.write("a.json", "{\"n\": 2}")
        eventually("the file is valid") {
            for case .version(let snapshot, _) in queue.takeAll().map(\.event) { newest = snapshot }
            return file.hasContent && newest?.value == ["n": 2]
        }
        #expect(file.needsAction && !file.isUsable)
        _ = file.lines(for: try #require(newest), at: .now, request)
        #expect(file.isUsable)
        let change = file.takeChange(request)
        #expect(change?.input.contains(#""event":"initial","file""#) == true)
        #expect(file.shown.value == ["n": 2])
    }
}
