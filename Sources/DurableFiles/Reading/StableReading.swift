internal import Glibc

/// Reading a file until what came is one version of it, or the tries are used up.
///
/// Each try opens the path anew: where another file has taken its place, that one is read.
struct StableReading<Calls: FileCalls> {
    private let path: String
    private let limit: Int
    private let calls: Calls
    private let note: SideNote?
    private var patience = Patience()

    private static var tries: Int { 3 }
    /// Nothing is waited for: neither a writer of a pipe, nor the holder of a lease.
    private static var flags: Int32 { O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC }

    init(path: String, limit: Int, calls: Calls, note: SideNote? = nil) {
        self.path = path
        self.limit = limit
        self.calls = calls
        self.note = note
    }

    mutating func run() throws(FileError) -> FileContents {
        for _ in 1..<Self.tries {
            let contents = try readOnce()
            if contents.isStable { return contents }
        }
        return try readOnce()
    }

    private mutating func readOnce() throws(FileError) -> FileContents {
        let file = try open()
        let before = try look(at: file)
        let bytes = try readBytes(of: file, size: Int(before.identity.size))
        note?.read(from: file)
        let after = try look(at: file)
        // Files of /proc say that they are empty, and are not.
        let isWhole = bytes.count == before.identity.size || before.identity.size == 0
        return FileContents(
            bytes: bytes, identity: after.identity, mode: after.permissions, isStable: isWhole && before == after)
    }

    private mutating func open() throws(FileError) -> OpenFile<Calls> {
        while true {
            do throws(ErrorNumber) {
                return try OpenFile(path, Self.flags, calls: calls)
            } catch {
                // A lease that the kernel now asks its holder to give back.
                guard error.rawValue == EAGAIN, let pause = patience.nextPause() else { throw refusal(error) }
                calls.pause(microseconds: pause)
            }
        }
    }

    /// Sockets, and devices that are not there, cannot even be opened to see what they are.
    private func refusal(_ error: ErrorNumber) -> FileError {
        if error.rawValue == ENXIO, case .special(let kind)? = (try? calls.status(at: path))?.kind {
            return FileError(.notRegular(kind), path, .open, errorNumber: ENXIO)
        }
        return FileError(error, path, .open)
    }
}

extension StableReading {
    /// What the file is; an error unless it is regular and small enough.
    private func look(at file: borrowing OpenFile<Calls>) throws(FileError) -> FileStatus {
        let status: FileStatus
        do throws(ErrorNumber) { status = try file.status() } catch { throw FileError(error, path, .look) }
        try status.requireRegular(path)
        try requireAllowed(size: status.identity.size)
        return status
    }

    private func requireAllowed(size: Int64) throws(FileError) {
        if size > limit { throw FileError(.tooLarge(size: size, limit: limit), path, .look) }
    }

    private func readBytes(of file: borrowing OpenFile<Calls>, size: Int) throws(FileError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(ErrorNumber) {
            bytes = try size > 0 ? file.bytes(count: size) : file.bytes(past: limit)
        } catch {
            throw FileError(error, path, .read)
        }
        try requireAllowed(size: Int64(bytes.count))
        return bytes
    }
}
