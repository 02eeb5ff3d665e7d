import DurableFiles
import FileScripts
import Synchronization
import TestSupport
import Testing

@Suite("Threads that replace one file at once")
struct ThreadTortureTests {
    private let writers = 6
    private let readers = 2

    @Test("lose nothing, see no half of a file, and leave nothing open or beside it") func together() throws {
        let folder = try TemporaryFolder()
        try folder.write("notes", Notes().bytes)
        let file = DurableFile(folder.path(of: "notes"))
        let busy = Atomic(writers)
        onThreads(writers + readers) { thread in
            if thread < writers {
                add(thread, to: file)
                busy.subtract(1, ordering: .relaxed)
            } else {
                repeat { look(at: file) } while busy.load(ordering: .relaxed) > 0
            }
        }
        let notes = try #require(Notes(complete: try folder.readBytes("notes")))
        #expect(notes.values.count == writers * Amount.keys)
        #expect(try folder.leftOvers() == [])
        #expect(try folder.openDescriptors() == 0)
    }

    private func add(_ thread: Int, to file: DurableFile) {
        for number in 0..<Amount.keys {
            let key = "\(thread).\(number)"
            expectSuccess {
                try file.replace(limit: 1 << 20, options: .fast) { found in
                    #expect(found.displaced.isEmpty)
                    var notes = try #require(Notes(complete: found.contents?.bytes ?? []))
                    notes.values[key] = "1"
                    return notes.bytes
                }
            }
        }
    }

    private func look(at file: DurableFile) {
        expectSuccess {
            let bytes = try file.read(limit: 1 << 20).bytes
            #expect(Notes(complete: bytes) != nil)
        }
    }

    private func expectSuccess(_ body: () throws -> Void) {
        do { try body() } catch { Issue.record(error) }
    }
}
