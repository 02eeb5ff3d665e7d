import Glibc
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// Changes of the directories and links of a path.
    @Suite struct PathTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func watch(_ name: String) throws -> WatchedFile { try WatchedFile(folder.path(of: name)) }

        private func expectEdit(
            _ file: WatchedFile, _ name: String, _ sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            try file.expectChange("a write", sourceLocation: sourceLocation) { try folder.write(name, "{ }") }
            try file.expectChange("an append", sourceLocation: sourceLocation) { try folder.append(name, " ") }
            #expect(file.isLive, sourceLocation: sourceLocation)
        }

        @Test("The creation of a missing file and of its missing directories is reported")
        func missing() throws {
            let file = try watch("x/y/z/a.json")
            for _ in 0..<5 {
                try file.expectChange("the creation of the first directory") { try folder.createFolder("x") }
                try file.expectChange("the creation of the other directories") { try folder.createFolder("x/y/z") }
                try expectEdit(file, "x/y/z/a.json")
                try file.expectChange("the removal of the first directory") { try folder.remove("x") }
            }
        }

        @Test("Renaming a directory of the path away and back is reported")
        func renamedFolder() throws {
            try folder.createFolder("x/y")
            try folder.write("x/y/a.json", "{}")
            let file = try watch("x/y/a.json")
            for _ in 0..<5 {
                try file.expectChange("moving away") { try folder.rename("x", to: "away") }
                try file.expectSilence("a write at its new path") { try folder.append("away/y/a.json", " ") }
                try file.expectChange("moving back") { try folder.rename("away", to: "x") }
                try expectEdit(file, "x/y/a.json")
            }
        }

        @Test("Replacing a directory of the path is reported")
        func replacedFolder() throws {
            try folder.createFolder("x/y")
            try folder.write("x/y/a.json", "{}")
            let file = try watch("x/y/a.json")
            for number in 0..<5 {
                try folder.createFolder("new/y")
                try folder.write("new/y/a.json", "{}")
                try file.expectChange("moving away") { try folder.rename("x", to: "old\(number)") }
                try file.expectChange("moving the other directory") { try folder.rename("new", to: "x") }
                try expectEdit(file, "x/y/a.json")
            }
        }

        @Test("Pointing a link of the path to another file is reported")
        func links() throws {
            for name in ["1", "2", "d/3"] {
                try folder.createFolder("d")
                try folder.write(name, "{}")
            }
            try folder.link("a.json", to: "1")
            let file = try watch("a.json")
            try expectEdit(file, "1")
            for target in ["2", folder.path(of: "1"), "d/3", "./d/../d/3", "1"] {
                try file.expectChange("a link to \(target)") {
                    try folder.link("tmp", to: target)
                    try folder.rename("tmp", to: "a.json")
                }
                try expectEdit(file, target.hasPrefix("/") ? String(target.dropFirst(folder.path.count + 1)) : target)
            }
            try file.expectSilence("a write to the previous target") { try folder.append("2", " ") }
        }

        @Test("A broken link is watched until it leads to a file")
        func brokenLinks() throws {
            try folder.link("a.json", to: "a.json")
            let file = try watch("a.json")
            #expect(file.isLive)
            try file.expectChange("a link to nothing") {
                try folder.link("tmp", to: "d/b.json")
                try folder.rename("tmp", to: "a.json")
            }
            try file.expectChange("the creation of the directory it leads to") { try folder.createFolder("d") }
            try expectEdit(file, "d/b.json")
        }

        @Test("A hundred ConfigMap swaps are reported, and each new file is watched", arguments: [false, true])
        func swaps(isMissingAtFirst: Bool) throws {
            if !isMissingAtFirst { try swap(0) }
            let file = try watch("a.json")
            for number in 1...100 {
                let before = file.changeCount
                try swap(number)
                eventually("a change after swap \(number)") { file.changeCount > before }
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

        @Test("Dots in a path resolve as in the kernel")
        func dots() throws {
            try folder.createFolder("real/deep")
            try folder.write("real/a.json", "{}")
            try folder.link("shortcut", to: "real/deep")
            let file = try watch("./shortcut/../a.json")
            try expectEdit(file, "real/a.json")
        }

        @Test("Links through names that are not UTF-8 are followed")
        func oddNames() throws {
            let odd: [UInt8] = Array("\(folder.path)/".utf8) + [0xFF, 0xFE]
            let name = odd.map { CChar(bitPattern: $0) } + [0]
            #expect(mkdir(name, 0o700) == 0)
            #expect(symlink(name, folder.path(of: "link")) == 0)
            let file = try watch("link/a.json")
            try expectEdit(file, "link/a.json")
        }

        @Test("A watch of a relative path resolves against the initial working directory")
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
