import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Failing system calls of a read")
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
        "A failed call of a read is reported with operation, errno value and reason, and the file is closed",
        arguments: [
            (Call.openWithoutLinks, FileError.Operation.open, [Call.openWithoutLinks]),
            (.status, .status, [.openWithoutLinks, .status, .close]),
            (.read, .read, [.openWithoutLinks, .status, .read, .close]),
        ])
    func failing(call: Call, operation: FileError.Operation, made: [Call]) throws {
        calls.failures = [call: [EIO]]
        let error = #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }
        #expect(error?.code == .system && error?.operation == operation && error?.errorNumber == EIO)
        #expect(
            error?.description
                == "\(file.path): Input/output error; see the kernel log with dmesg"
        )
        #expect(calls.callsOnFile == made)
        #expect(try calls.openDescriptors == [] && folder.openDescriptors() == 0)
    }

    @Test(
        "After any call of a read fails for lack of resources, nothing stays open and the next read succeeds",
        arguments: ["a.json", "link", "folder/a.json"])
    func limited(name: String) throws {
        try folder.link("link", to: "folder/a.json")
        try folder.link("folder", to: ".")
        let file = DurableFile(folder.path(of: name))
        let whole = ScriptedCalls()
        _ = try file.read(limit: 100, through: whole)
        var counts: [Call: Int] = [:]
        for call in whole.made where call != .close {
            counts[call, default: 0] += 1
            for errorNumber in call.limits {
                let (calls, number) = (ScriptedCalls(), counts[call, default: 0])
                calls.before = { [unowned calls] made, count in
                    if made == call, count == number { calls.failures[call, default: []] = [errorNumber] }
                }
                do throws(FileError) {
                    // After a failed check of the directories, the path is resolved component by component.
                    #expect(try file.read(limit: 100, through: calls).bytes.count == 8)
                    #expect(call == .statusOfName, "\(call.rawValue) \(number)")
                } catch {
                    #expect(error.errorNumber == errorNumber && error.path == file.path && error.advice != nil)
                }
                #expect(try calls.openDescriptors == [] && folder.openDescriptors() == 0)
                calls.forget()
                #expect(try file.read(limit: 100, through: calls).bytes.count == 8)
            }
        }
    }

    @Test("A process that has reached its descriptor limit gets an error that says so")
    func realLimit() throws {
        let probe = Program.built("ReplaceProbe").path
        var messages = ""
        for limit in 3...20 {
            let result = try Program.shell.run(
                ["-c", "ulimit -n \(limit); exec '\(probe)' replace a.json x"], in: folder)
            if result.code == 0 { break }
            messages += result.output
            #expect(try folder.read("a.json") == "{\"a\": 1}" && folder.leftovers() == [], "\(result)")
        }
        #expect(messages.contains("Too many open files; this program has"))
        #expect(try folder.read("a.json") == "x")
    }

    @Test("A failed second status call or second read is reported, and the file is closed")
    func failingLater() throws {
        calls.before = { [unowned calls] call, count in
            if call == .status, count == 2 { calls.failures = [.status: [ESTALE]] }
        }
        #expect(
            #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }?.errorNumber == ESTALE)
        #expect(calls.callsOnFile == [.openWithoutLinks, .status, .read, .status, .close])

        calls.longestRead = 3
        let reads = calls.count(of: .read)
        calls.before = { [unowned calls] call, count in
            if call == .read, count == reads + 2 { calls.failures = [.read: [EIO]] }
        }
        #expect(#expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }?.operation == .read)
        #expect(calls.callsOnFile.suffix(5) == [.openWithoutLinks, .status, .read, .read, .close])
        #expect(try calls.openDescriptors == [] && folder.openDescriptors() == 0)
    }

    @Test("A read repeats calls that a signal interrupts", arguments: [Call.openWithoutLinks, .status, .read])
    func interrupted(call: Call) throws {
        calls.failures = [call: [EINTR, EINTR, EINTR]]
        let contents = try file.read(limit: 100, through: calls)
        #expect(contents.bytes == Array("{\"a\": 1}".utf8) && contents.isStable)
        #expect(calls.count(of: call) == (call == .status ? 5 : 4))
        #expect(calls.count(of: .close) == 1 && calls.openDescriptors == [])
    }

    @Test("Getting the identity of a file repeats calls that a signal interrupts")
    func interruptedIdentity() throws {
        calls.failures = [.statusOfPath: [EINTR, EINTR]]
        #expect(try file.identity(through: calls).size == 8)
        #expect(calls.callsOnFile == [.statusOfPath, .statusOfPath, .statusOfPath])
    }

    @Test("A socket that disappears after it could not be opened is reported with the error of opening it")
    func unopenable() {
        calls.failures = [.openWithoutLinks: [ENXIO], .statusOfPath: [ENOENT]]
        let error = #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }
        #expect(error?.code == .system && error?.errorNumber == ENXIO)
    }

    @Test(
        "An error has a code and, where the remedy is known, advice",
        arguments: [
            (
                EACCES, FileError.Code.permission,
                "Permission denied; user \(geteuid()) needs search permission for the directory /"
            ),
            (EPERM, .permission, "Operation not permitted; user \(geteuid()) needs"),
            (ELOOP, .loop, "Too many levels of symbolic links; follow the symbolic links with namei"),
            (EMFILE, .system, "Too many open files; this program has too many files open, raise the limit"),
            (ENFILE, .system, "Too many open files in system; the system has too many files open"),
            (ENOENT, .missing, "No such file or directory"), (ENOTDIR, .notADirectory, "Not a directory"),
            (ENAMETOOLONG, .nameTooLong, "File name too long"), (EISDIR, .directory, "Is a directory"),
        ])
    func words(errorNumber: Int32, code: FileError.Code, words: String) {
        calls.failures = [.openWithoutLinks: [errorNumber], .openIn: [errorNumber]]
        let error = #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }
        #expect(error?.code == code && error?.errorNumber == errorNumber)
        #expect(error?.description.hasPrefix("\(file.path): \(words)") == true)
    }

    @Test("The description of an error contains no control characters of the path")
    func terminal() {
        let error = #expect(throws: FileError.self) { try DurableFile("no\u{1B}[2J\n\u{202E}.json").identity() }
        #expect(error?.description == "no\u{FFFD}[2J\u{FFFD}\u{FFFD}.json: No such file or directory")
        #expect(error?.path == "no\u{1B}[2J\n\u{202E}.json")
    }
}
