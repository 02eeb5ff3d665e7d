import Glibc
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// What happens to folders and links on the way.
    @Suite struct PathTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func watch(_ name: String) throws -> WatchedFile { try WatchedFile(folder.path(of: name)) }

        private func expectEdit(
            _ file: WatchedFile, _ name: String, _ sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            try file.expectLook("a write", sourceLocation: sourceLocation) { try folder.write(name, "{ }") }
            try file.expectLook("an append", sourceLocation: sourceLocation) { try folder.append(name, " ") }
            #expect(file.isLive, sourceLocation: sourceLocation)
        }

        @Test("a file that is not there yet, nor are its folders")
        func missing() throws {
            let file = try watch("x/y/z/a.json")
            for _ in 0..<5 {
                try file.expectLook("the first folder") { try folder.createFolder("x") }
                try file.expectLook("the other folders") { try folder.createFolder("x/y/z") }
                try expectEdit(file, "x/y/z/a.json")
                try file.expectLook("the end of it all") { try folder.remove("x") }
            }
        }

        @Test("a folder is renamed away, and back")
        func renamedFolder() throws {
            try folder.createFolder("x/y")
            try folder.write("x/y/a.json", "{}")
            let file = try watch("x/y/a.json")
            for _ in 0..<5 {
                try file.expectLook("moving away") { try folder.rename("x", to: "away") }
                try file.expectSilence("a write where it is now") { try folder.append("away/y/a.json", " ") }
                try file.expectLook("moving back") { try folder.rename("away", to: "x") }
                try expectEdit(file, "x/y/a.json")
            }
        }

        @Test("a folder is replaced by another")
        func replacedFolder() throws {
            try folder.createFolder("x/y")
            try folder.write("x/y/a.json", "{}")
            let file = try watch("x/y/a.json")
            for number in 0..<5 {
                try folder.createFolder("new/y")
                try folder.write("new/y/a.json", "{}")
                try file.expectLook("moving away") { try folder.rename("x", to: "old\(number)") }
                try file.expectLook("the other folder") { try folder.rename("new", to: "x") }
                try expectEdit(file, "x/y/a.json")
            }
        }

        @Test("a link is set to another file, relative, absolute or through a folder")
        func links() throws {
            for name in ["1", "2", "d/3"] {
                try folder.createFolder("d")
                try folder.write(name, "{}")
            }
            try folder.link("a.json", to: "1")
            let file = try watch("a.json")
            try expectEdit(file, "1")
            for target in ["2", folder.path(of: "1"), "d/3", "./d/../d/3", "1"] {
                try file.expectLook("a link to \(target)") {
                    try folder.link("tmp", to: target)
                    try folder.rename("tmp", to: "a.json")
                }
                try expectEdit(file, target.hasPrefix("/") ? String(target.dropFirst(folder.path.count + 1)) : target)
            }
            try file.expectSilence("a write to what it led to before") { try folder.append("2", " ") }
        }

        @Test("a link leads to itself or to nothing for a while")
        func brokenLinks() throws {
            try folder.link("a.json", to: "a.json")
            let file = try watch("a.json")
            #expect(file.isLive)
            try file.expectLook("a link to nothing") {
                try folder.link("tmp", to: "d/b.json")
                try folder.rename("tmp", to: "a.json")
            }
            try file.expectLook("the folder it leads to") { try folder.createFolder("d") }
            try expectEdit(file, "d/b.json")
        }

        @Test("a hundred swaps as Kubernetes does them", arguments: [false, true])
        func swaps(isMissingAtFirst: Bool) throws {
            if !isMissingAtFirst { try swap(0) }
            let file = try watch("a.json")
            for number in 1...100 {
                let before = file.looks
                try swap(number)
                eventually("a look after swap \(number)") { file.looks > before }
                file.settle()
                #expect(file.watchesOf(folder.path(of: "..v\(number)/a.json")) == 1)
            }
            try expectEdit(file, "..v100/a.json")
        }

        private func swap(_ number: Int) throws {
            try folder.createFolder("..v\(number)")
            try folder.write("..v\(number)/a.json", "{\"n\": \(number)}")
            try folder.link("..data_tmp", to: "..v\(number)")
            try folder.rename("..data_tmp", to: "..data")
            if access(folder.path(of: "a.json"), F_OK) != 0 { try? folder.link("a.json", to: "..data/a.json") }
            if number > 0 { try? folder.remove("..v\(number - 1)") }
        }

        @Test("dots lead where the kernel is led")
        func dots() throws {
            try folder.createFolder("real/deep")
            try folder.write("real/a.json", "{}")
            try folder.link("shortcut", to: "real/deep")
            let file = try watch("./shortcut/../a.json")
            try expectEdit(file, "real/a.json")
        }

        @Test("names that are not UTF-8 on the way are followed")
        func oddNames() throws {
            let odd: [UInt8] = Array("\(folder.path)/".utf8) + [0xFF, 0xFE]
            let name = odd.map { CChar(bitPattern: $0) } + [0]
            #expect(mkdir(name, 0o700) == 0)
            #expect(symlink(name, folder.path(of: "link")) == 0)
            let file = try watch("link/a.json")
            try expectEdit(file, "link/a.json")
        }

        @Test("a relative path means the working directory of the beginning")
        func relative() throws {
            let parts = folder.path.split(separator: "/")
            let working = try #require(getcwd(nil, 0))
            defer { free(working) }
            let up = String(cString: working).split(separator: "/").map { _ in Substring("..") }
            let file = try WatchedFile((up + parts + ["a.json"]).joined(separator: "/"))
            #expect(file.watch.path.hasPrefix(String(cString: working) + "/"))
            try expectEdit(file, "a.json")
        }
    }
}
