import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("System calls that fail")
struct SystemFailureTests {
    typealias Call = ScriptedCalls.Call
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    private var file: DurableFile { DurableFile(folder.path(of: "a.json")) }

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{\"a\": 1}")
    }

    @Test(
        "are told with the call, the number and the words of the system, and nothing stays open",
        arguments: [
            (Call.open, FileError.Operation.open, [Call.open]), (.look, .look, [.open, .look, .close]),
            (.read, .read, [.open, .look, .read, .close]),
        ])
    func failing(call: Call, operation: FileError.Operation, made: [Call]) throws {
        calls.failures = [call: [EIO]]
        let error = #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }
        #expect(error?.code == .system && error?.operation == operation && error?.errorNumber == EIO)
        #expect(error?.description == "\(file.path): Input/output error")
        #expect(calls.made == made)
        #expect(try calls.openDescriptors == [] && folder.openDescriptors() == 0)
    }

    @Test("at the second look, and in the middle of reading, leave nothing open either")
    func failingLater() throws {
        calls.before = { [unowned calls] call, count in
            if call == .look, count == 2 { calls.failures = [.look: [ESTALE]] }
        }
        #expect(
            #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }?.errorNumber == ESTALE)
        #expect(calls.made == [.open, .look, .read, .look, .close])

        calls.longestRead = 3
        let reads = calls.count(of: .read)
        calls.before = { [unowned calls] call, count in
            if call == .read, count == reads + 2 { calls.failures = [.read: [EIO]] }
        }
        #expect(#expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }?.operation == .read)
        #expect(calls.made.suffix(5) == [.open, .look, .read, .read, .close])
        #expect(try calls.openDescriptors == [] && folder.openDescriptors() == 0)
    }

    @Test("because of a signal are made again", arguments: [Call.open, .look, .read])
    func interrupted(call: Call) throws {
        calls.failures = [call: [EINTR, EINTR, EINTR]]
        let contents = try file.read(limit: 100, through: calls)
        #expect(contents.bytes == Array("{\"a\": 1}".utf8) && contents.isStable)
        #expect(calls.count(of: call) == (call == .look ? 5 : 4))
        #expect(calls.count(of: .close) == 1 && calls.openDescriptors == [])
    }

    @Test("because of a signal are made again where a file is only looked at")
    func interruptedLook() throws {
        calls.failures = [.lookAtPath: [EINTR, EINTR]]
        #expect(try file.identity(through: calls).size == 8)
        #expect(calls.made == [.lookAtPath, .lookAtPath, .lookAtPath])
    }

    @Test("are made out where a socket is opened, also when it is gone a moment later")
    func unopenable() {
        calls.failures = [.open: [ENXIO], .lookAtPath: [ENOENT]]
        let error = #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }
        #expect(error?.code == .system && error?.errorNumber == ENXIO)
    }

    @Test(
        "have a code, and where it is known say what would help",
        arguments: [
            (EACCES, FileError.Code.permission, "Permission denied; the user of this program must be allowed to"),
            (EPERM, .permission, "Operation not permitted; the user of this program must be allowed to"),
            (ELOOP, .loop, "Too many levels of symbolic links; see where the symbolic links lead, with namei"),
            (EMFILE, .system, "Too many open files; this program has too many files open, see ulimit -n"),
            (ENFILE, .system, "Too many open files in system; all programs together have too many files open"),
            (ENOENT, .missing, "No such file or directory"), (ENOTDIR, .notADirectory, "Not a directory"),
            (ENAMETOOLONG, .nameTooLong, "File name too long"), (EISDIR, .directory, "Is a directory"),
        ])
    func words(errorNumber: Int32, code: FileError.Code, words: String) {
        calls.failures = [.open: [errorNumber]]
        let error = #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }
        #expect(error?.code == code && error?.errorNumber == errorNumber)
        #expect(error?.description.hasPrefix("\(file.path): \(words)") == true)
    }

    @Test("show nothing that a terminal might obey")
    func terminal() {
        let error = #expect(throws: FileError.self) { try DurableFile("no\u{1B}[2J\n\u{202E}.json").identity() }
        #expect(error?.description == "no\u{FFFD}[2J\u{FFFD}\u{FFFD}.json: No such file or directory")
        #expect(error?.path == "no\u{1B}[2J\n\u{202E}.json")
    }
}
