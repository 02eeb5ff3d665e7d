import Glibc
import LosslessJSON
import ManualTiming
import SessionMirror

/// Measures work on a file of one size as a `Session<JSON>` does it, beside the least that must be done: copying the text,
/// reading the file and comparing it with a text, or replacing it. The file is in memory, to measure the work and not the
/// disk.
final class FileGrowth {
    private let size: Size
    private let folder = TemporaryFolder(in: TemporaryFolder.memory)
    private var document: ServiceDocument
    private let path: String

    init(_ bytes: Int) {
        (size, document) = (Size(bytes, .bytes), ServiceDocument(size: bytes))
        path = folder.path(of: "services.json")
        replaceFile()
    }

    func run(into growth: inout Growth) throws {
        let copy = Growth.Implementation("copy of the text") { copyTime(of: self.document.bytes) }
        let reading = Growth.Implementation("read and compare") { self.readAndCompare() }
        let minimal = MinimalReplacement(path: folder.path(of: "least.json"))
        let replacement = Growth.Implementation("bare minimum") {
            time { minimal.replace(with: self.document.bytes, waits: true) }
        }
        try growth.measure("parse", size, [parse(), copy])
        try growth.measure("reparse", size, [try reparse(), copy])
        try growth.measure("edit", size, [try edit(), copy])
        try growth.measure("open", size, [open(), reading])
        try growth.measure("reload", size, [try reload(), reading])
        try growth.measure("save", size, [try save(), replacement])
    }

    private func parse() -> Growth.Implementation {
        .init("ours") { try time { try JSONDocument(parsing: self.document.bytes) } }
    }

    /// Parses the text with one changed number, having parsed the previous one.
    private func reparse() throws -> Growth.Implementation {
        var previous = try JSONDocument(parsing: document.bytes)
        return .init("ours") {
            _ = self.document.edit()
            // The release of the previous version is not included, because readers may still have it.
            let begin = now()
            let next = try previous.reparsed(self.document.bytes)
            let nanoseconds = Double(now() - begin)
            previous = next
            self.replaceFile()
            return nanoseconds
        }
    }

    /// Changes one number in the text, as a save does.
    private func edit() throws -> Growth.Implementation {
        let parsed = try JSONDocument(parsing: document.bytes)
        let old = parsed.value[at: document.pointer]
        return .init("ours") {
            let change = JSONChange(at: self.document.pointer, from: old, to: JSON(self.document.edit()))
            let nanoseconds = try time { try parsed.applying([change]) }
            self.replaceFile()
            return nanoseconds
        }
    }

    private func open() -> Growth.Implementation {
        .init("ours") {
            let begin = now()
            let session = try self.openedSession()
            let nanoseconds = Double(now() - begin)
            try session.closeBlocking()
            return nanoseconds
        }
    }

    /// Loads the file with one changed number, until readers see it.
    private func reload() throws -> Growth.Implementation {
        let session = try openedSession()
        return .init("ours") {
            let number = self.document.edit()
            self.replaceFile()
            let nanoseconds = reloadTime(of: session)
            self.expect(number, in: session)
            return nanoseconds
        }
    }

    /// Changes one number in memory and saves the file.
    private func save() throws -> Growth.Implementation {
        let session = try openedSession()
        return .init("ours") {
            let number = self.document.edit()
            return try time {
                try session.set(self.document.pointer, to: JSON(number))
                try session.flushBlocking()
            }
        }
    }

    private func openedSession() throws -> Session<JSON> {
        var options = SessionOptions(start: .requireFile)
        options.watching = .off
        return try Session(.object([:]), at: path, options: options)
    }

    private func expect(_ number: Int, in session: Session<JSON>) {
        if session[at: document.pointer] != JSON(number) { fail("a session has loaded another version") }
    }

    private func replaceFile() { MinimalReplacement(path: path).replace(with: document.bytes, waits: false) }

    private func readAndCompare() -> Double {
        let expected = document.bytes
        let begin = now()
        let bytes = readFile(path)
        let isEqual = bytes.count == expected.count && memcmp(bytes, expected, bytes.count) == 0
        let nanoseconds = Double(now() - begin)
        if !isEqual { fail("the file has other contents") }
        return nanoseconds
    }
}

/// Loads the file of a session that watches nothing, and returns the time until readers see the new version.
func reloadTime<Root>(of session: Session<Root>) -> Double {
    let version = session.snapshot.version
    let begin = now()
    session.mirror.reload()
    return time(until: { session.snapshot.version != version }, after: begin)
}

/// Reads a file as a whole.
func readFile(_ path: String) -> [UInt8] {
    let descriptor = check("open \(path)", open(path, O_RDONLY | O_CLOEXEC))
    defer { close(descriptor) }
    var status = stat()
    _ = check("fstat", fstat(descriptor, &status))
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
        while count < buffer.count {
            let more = check("read", read(descriptor, buffer.baseAddress! + count, buffer.count - count))
            if more == 0 { break }
            count += more
        }
    }
}
