import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// The real file system, without watches.
private struct PlainView: FileSystemView {
    func root() -> ResolvedDirectory {
        var status = stat()
        stat("/", &status)
        return ResolvedDirectory(path: [], inode: Inode(status))
    }

    func lookUp(_ name: FileName, in directory: ResolvedDirectory) -> DirectoryEntry {
        let path = String(decoding: directory.path(of: name).dropLast(), as: UTF8.self)
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno == ENOENT ? .missing : .unknown(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory(Inode(status))
        case S_IFREG: return .file(Inode(status))
        case S_IFLNK:
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink(path, &target, target.count)
            return .link(to: target.prefix(count).map { UInt8(bitPattern: $0) })
        default: return .other
        }
    }
}

@Suite struct PathWalkAgreementTests {
    @Test("A path walk ends where the path resolution of the kernel ends")
    func agreesWithKernel() throws {
        var generator = SeededGenerator(20_251)
        var ends: [String: Int] = [:]
        for _ in 0..<30 {
            let folder = try TemporaryFolder()
            let names = try fill(folder, &generator)
            for _ in 0..<60 { try compare(randomPath(folder, names, &generator), &ends) }
        }
        // Every kind of end has occurred.
        #expect(Set(ends.keys) == ["file", "not a file", "missing", "not a directory", "too many links"])
    }

    /// Creates random directories, files and links.
    private func fill(_ folder: TemporaryFolder, _ generator: inout SeededGenerator) throws -> [String] {
        var folders = [""]
        let names = ["a", "b", "c", "d", "e"]
        for _ in 0..<25 {
            let path = folders.randomElement(using: &generator)! + names.randomElement(using: &generator)!
            guard access(folder.path(of: path), F_OK) != 0 else { continue }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0, 1:
                if mkdir(folder.path(of: path), 0o700) == 0 { folders.append(path + "/") }
            case 2, 3: try? folder.write(path, "x")
            default:
                let parts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    (names + ["..", "."]).randomElement(using: &generator)!
                }
                let isAbsolute = Int.random(in: 0..<4, using: &generator) == 0
                let slash = Int.random(in: 0..<6, using: &generator) == 0 ? "/" : ""
                let target = (isAbsolute ? folder.path + "/" : "") + parts.joined(separator: "/") + slash
                _ = symlink(target, folder.path(of: path))
            }
        }
        return names
    }

    private func randomPath(
        _ folder: TemporaryFolder, _ names: [String], _ generator: inout SeededGenerator
    ) -> String {
        let parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            (names + names + ["..", ".", ""]).randomElement(using: &generator)!
        }
        return folder.path + "/" + parts.joined(separator: "/")
    }

    private func compare(_ path: String, _ ends: inout [String: Int]) throws {
        var view = PlainView()
        var walk = PathWalk(path)
        let end = walk.run(in: &view)
        var status = stat()
        let kernel: String
        if stat(path, &status) == 0 {
            kernel = status.st_mode & S_IFMT == S_IFREG ? "file" : "not a file"
        } else {
            kernel = [ENOENT: "missing", ENOTDIR: "not a directory", ELOOP: "too many links"][errno]!
        }
        ends[kernel, default: 0] += 1
        switch end {
        case .file(let inode, _, _): #expect(kernel == "file" && inode == Inode(status), "\(path)")
        case .notAFile: #expect(kernel == "not a file", "\(path)")
        case .missing: #expect(kernel == "missing" || kernel == "not a directory", "\(path)")
        case .tooManyLinks: #expect(kernel == "too many links", "\(path)")
        case .external: Issue.record("\(path): external, the kernel says \(kernel)")
        case .unknown(let error): Issue.record("\(path): \(error), the kernel says \(kernel)")
        }
    }
}
