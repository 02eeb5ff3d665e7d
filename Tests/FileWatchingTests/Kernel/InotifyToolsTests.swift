#if InotifyTools
import Glibc
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// The library, as the shared service uses it.
    @Suite struct InotifyToolsTests {
        let folder: TemporaryFolder
        let directory: ResolvedDirectory

        init() throws {
            folder = try TemporaryFolder()
            directory = ResolvedDirectory(path: Array(folder.path.utf8), inode: Self.inode(folder.path))
            // The first watch starts the service.
            _ = try WatchedFile(folder.path(of: "first"))
        }

        private static func inode(_ path: String) -> Inode {
            var status = stat()
            stat(path, &status)
            return Inode(status)
        }

        private func inspect<Result: Sendable>(_ body: @escaping @Sendable (InotifyTools) -> Result) -> Result {
            SharedInotifyTools.change(body)
        }

        @Test("The descriptor of libinotifytools does not block and is closed by exec")
        func descriptor() {
            let descriptor = inspect { $0.descriptor }
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
        }

        @Test("A watch is found in the kernel's list by the number of its inode")
        func list() throws {
            try folder.write("a", "{}")
            let (number, directory) = (Self.inode(folder.path(of: "a")).number, directory)
            let watch = try inspect { $0.add("a", in: directory, .file) }.get()
            #expect(inspect { $0.watches(ofInodesNumbered: number) } == [watch])
            inspect { $0.removeNow(watch) }
            #expect(inspect { $0.watches(ofInodesNumbered: number) } == [])
        }

        @Test("A directory that was expected to be a file has a watch that can be removed")
        func directoryInsteadOfFile() throws {
            try folder.createFolder("d")
            let (inode, directory) = (Self.inode(folder.path(of: "d")), directory)
            for _ in 0..<3 {
                let watch = try inspect { $0.add("d", in: directory, .file) }.get()
                #expect(watch.number > 0)
                let isRemoved = inspect { tools in
                    var events: [InotifyEvent] = []
                    return tools.remove(watch, of: inode, &events)
                }
                #expect(isRemoved)
            }
        }

        @Test("A watch whose file is gone is not removed immediately, and removed later without an error")
        func removedLate() throws {
            try folder.write("a", "{}")
            let (inode, directory, path) = (Self.inode(folder.path(of: "a")), directory, folder.path(of: "a"))
            let moved = folder.path(of: "b")
            let answers = inspect { tools in
                guard case .success(let watch) = tools.add("a", in: directory, .file) else { return [Bool]() }
                rename(path, moved)
                var events: [InotifyEvent] = []
                let isRemoved = tools.remove(watch, of: inode, &events)
                tools.removeNow(watch)
                _ = tools.collect(1_000, &events)
                return [isRemoved, tools.records.isValid(watch), tools.remove(watch, of: inode, &events)]
            }
            #expect(answers == [false, false, true])
        }

        @Test("Removing a watch that the kernel has just ended writes no message")
        func removedByKernel() throws {
            try folder.write("a", "{}")
            let (directory, path) = (directory, folder.path(of: "a"))
            try folder.write("messages", "")
            let messages = folder.path(of: "messages")
            let isValid = inspect { tools in
                guard case .success(let watch) = tools.add("a", in: directory, .file) else { return true }
                unlink(path)
                // The event is not collected yet.
                let (file, standardError) = (open(messages, O_WRONLY | O_APPEND | O_CLOEXEC), dup(STDERR_FILENO))
                dup2(file, STDERR_FILENO)
                tools.removeNow(watch)
                dup2(standardError, STDERR_FILENO)
                for descriptor in [file, standardError] { close(descriptor) }
                var events: [InotifyEvent] = []
                _ = tools.collect(1_000, &events)
                return tools.records.isValid(watch)
            }
            #expect(!isValid)
            // Other tests may have written something.
            #expect(try !folder.read("messages").contains(folder.path))
        }

        @Test("Watching fails with an error number if the inode is watched already, missing or not a directory")
        func refusals() throws {
            try folder.write("a", "{}")
            let directory = directory
            let file = ResolvedDirectory(path: Array(folder.path(of: "a").utf8), inode: directory.inode)
            let watch = try inspect { $0.add("a", in: directory, .file) }.get()
            #expect(inspect { $0.add("a", in: directory, .file) } == .failure(SystemError(number: EEXIST)))
            #expect(inspect { $0.add("b", in: directory, .file) } == .failure(SystemError(number: ENOENT)))
            #expect(inspect { $0.add(nil, in: file, .directory) } == .failure(SystemError(number: ENOTDIR)))
            inspect { $0.removeNow(watch) }
        }
    }
}
#endif
