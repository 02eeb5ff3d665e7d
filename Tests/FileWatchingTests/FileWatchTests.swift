import Glibc
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    @Suite struct FileWatchTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        @Test("a file written in place is looked at")
        func writtenInPlace() throws {
            try folder.write("a.json", "{}")
            let file = try WatchedFile(folder.path(of: "a.json"))
            #expect(file.watch.status == .live)
            for number in 0..<20 {
                try file.expectLook("a write") { try folder.write("a.json", "{\"n\": \(number)}") }
                try file.expectLook("an append") { try folder.append("a.json", " ") }
            }
        }

        @Test("a file that another is renamed over is looked at, and so is the other from then on")
        func renamedOver() throws {
            try folder.write("a.json", "{}")
            let file = try WatchedFile(folder.path(of: "a.json"))
            for number in 0..<20 {
                try folder.write("b.json", "{\"n\": \(number)}")
                try file.expectLook("a rename") { try folder.rename("b.json", to: "a.json") }
                eventually("the new file is watched") { file.watch.metrics.rearms == number + 1 }
                try file.expectLook("an append") { try folder.append("a.json", " ") }
            }
        }

        @Test("a file that is deleted and created again is looked at each time")
        func deletedAndCreated() throws {
            try folder.write("a.json", "{}")
            let file = try WatchedFile(folder.path(of: "a.json"))
            for _ in 0..<20 {
                try file.expectLook("a deletion") { try folder.remove("a.json") }
                try file.expectLook("a creation") { try folder.write("a.json", "{}") }
                try file.expectLook("an append") { try folder.append("a.json", " ") }
            }
        }
    }
}
