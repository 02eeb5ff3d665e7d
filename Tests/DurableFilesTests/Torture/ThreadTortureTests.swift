import DurableFiles
import FileScripts
import Synchronization
import TestSupport
import Testing

@Suite("Concurrent threads replacing one file")
struct ThreadTortureTests {
    private let writers = 6
    private let readers = 2

    @Test("Threads lose no edit, read no partial file, and leave no descriptor or leftover") func together() throws {
        let folder = try TemporaryFolder()
        try folder.write("notes", KeyValueText().bytes)
        let file = DurableFile(folder.path(of: "notes"))
        let busy = Atomic(writers)
        onThreads(writers + readers) { thread in
            if thread < writers {
                add(thread, to: file)
                busy.subtract(1, ordering: .relaxed)
            } else {
                repeat { readOnce(of: file) } while busy.load(ordering: .relaxed) > 0
            }
        }
        let notes = try #require(KeyValueText(complete: try folder.readBytes("notes")))
        #expect(notes.values.count == writers * TortureScale.keys)
        #expect(try folder.leftovers() == [])
        #expect(try folder.openDescriptors() == 0)
    }

    private func add(_ thread: Int, to file: DurableFile) {
        for number in 0..<TortureScale.keys {
            let key = "\(thread).\(number)"
            expectSuccess {
                try file.replace(limit: 1 << 20, options: .fast) { found in
                    #expect(found.displaced.isEmpty)
                    var notes = try #require(KeyValueText(complete: found.contents?.bytes ?? []))
                    notes.values[key] = "1"
                    return notes.bytes
                }
            }
        }
    }

    private func readOnce(of file: DurableFile) {
        expectSuccess {
            let bytes = try file.read(limit: 1 << 20).bytes
            #expect(KeyValueText(complete: bytes) != nil)
        }
    }

    private func expectSuccess(_ body: () throws -> Void) {
        do { try body() } catch { Issue.record(error) }
    }
}
