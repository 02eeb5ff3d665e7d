import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

/// Returns the content of the file at a path, or the error number.
private func readContent(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "error \(errno)" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? "error \(errno)" : String(decoding: bytes.prefix(count), as: UTF8.self)
}

extension KernelTests {
    @Suite struct RandomChangeTests {
        @Test(
            "A reader that follows the signals sees the final state after random changes of the path",
            arguments: 1...10)
        func finalState(seed: Int) throws {
            let folder = try TemporaryFolder()
            var changes = RandomChanges(folder, seed: UInt64(seed))
            let paths = ["a/b/f", "a/f", "f", "b/../a/f", "a/b/../f"].map { folder.path(of: $0) }
            let seen = paths.map { _ in Lock("") }
            let watches = try zip(paths, seen).map { path, seen in
                try FileWatch(path) { _ in
                    let content = readContent(path)
                    seen.withLock { $0 = content }
                }
            }
            for (path, seen) in zip(paths, seen) { seen.withLock { $0 = readContent(path) } }
            for round in 0..<150 {
                let steps = changes.perform()
                for (path, seen) in zip(paths, seen) {
                    let expected = readContent(path)
                    let isSeen = eventually(
                        "round \(round): \(path) is \(expected), after \(steps)", within: .seconds(5)
                    ) {
                        seen.withLock { $0 == expected }
                    }
                    guard isSeen else { return }
                }
            }
            for watch in watches { #expect(watch.status == .live) }
        }
    }
}

/// Performs random operations on a few names.
private struct RandomChanges {
    private let folder: TemporaryFolder
    private var generator: SeededGenerator
    private var number = 0
    private static let names = ["a", "b", "f", "a/b", "a/f", "b/f", "a/b/f", "b/b", "c", "c/f", "c/b"]

    init(_ folder: TemporaryFolder, seed: UInt64) {
        self.folder = folder
        generator = SeededGenerator(seed)
    }

    /// Performs a few steps; those that fail have no effect.
    mutating func perform() -> [String] { (0..<Int.random(in: 1...5, using: &generator)).map { _ in step() } }

    private mutating func step() -> String {
        let (name, other) = (pick(), pick())
        let (path, otherPath) = (folder.path(of: name), folder.path(of: other))
        number += 1
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1, 2:
            try? folder.write(name, "\(number)")
            return "\(number) > \(name)"
        case 3, 4:
            mkdir(path, 0o700)
            return "mkdir \(name)"
        case 5, 6:
            rename(path, otherPath)
            return "mv \(name) \(other)"
        case 7:
            link(path, otherPath)
            return "ln \(name) \(other)"
        case 8, 9:
            let target = ["a", "b", "c", "../a", "../c", "f", "../f", "a/b", "../b/f", folder.path + "/c"]
                .randomElement(using: &generator)!
            symlink(target, path)
            return "ln -s \(target) \(name)"
        case 10:
            unlink(path)
            return "rm \(name)"
        default:
            try? folder.remove(name)
            return "rm -r \(name)"
        }
    }

    private mutating func pick() -> String { Self.names.randomElement(using: &generator)! }
}
