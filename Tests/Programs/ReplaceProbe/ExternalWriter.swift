import FileScripts
import Glibc

/// A process that edits the file like a program without this library: it reads the file, waits, and writes all of it
/// back.
///
/// THINK is the time between reading and writing, HOLD how long the file stays open, and GAP the pause between edits,
/// each in microseconds. The pause grows with the processor time of an edit: see ``run()``.
struct ExternalWriter {
    enum Method: String {
        /// Writes another file and renames it over: most editors, `sed -i`.
        case rename
        /// Truncates the file and writes in two steps: `cat >`.
        case truncate
        /// Keeps the file open while it waits, and writes in place.
        case hold
        /// Renames while it holds the directory lock, like a script with `flock`.
        case locked
    }

    let method: Method
    let path: String
    let name: String
    let keys: KeyRange
    let log: KeyLog

    private let think = setting("THINK", or: 2_000)
    private let hold = setting("HOLD", or: 50_000)
    private let gap = setting("GAP", or: 8_000)

    init(method: Method, path: String, name: String, keys: KeyRange, log: KeyLog) {
        (self.method, self.path, self.name, self.keys, self.log) = (method, path, name, keys, log)
    }

    func run() throws {
        KeyLog.handleTermination()
        try keys.run { index in
            let key = "\(name).\(index)"
            let begin = processorMicroseconds()
            var result = EditResult.fileIncomplete
            while !KeyLog.isTerminated, result == .fileIncomplete { result = try edit(adding: key) }
            if KeyLog.isTerminated { return }
            switch result {
            case .written: log.add(key)
            case .writtenToRemovedVersion: log.add(key, to: "removed")
            case .fileIncomplete: break
            }
            // Merging an edit takes several times as long as making it. With less time than that, each merge would end
            // with the next edit to merge, and none would be the last: in unoptimized code, and under a sanitizer.
            pause(upTo: 2 * (gap + 8 * (processorMicroseconds() - begin)))
        }
    }

    private func processorMicroseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }

    private enum EditResult {
        case written
        /// The version had no name any more when `open` returned: the system suspended this process inside `open`, between
        /// finding the version and registering as its writer, while the version was replaced. No program can see that.
        case writtenToRemovedVersion
        /// Another writer has left the file incomplete. Nothing was written.
        case fileIncomplete
    }

    private func edit(adding key: String) throws -> EditResult {
        switch method {
        case .rename: return try rename(adding: key)
        case .truncate: return try truncate(adding: key)
        case .hold: return try hold(adding: key)
        case .locked:
            let folder = try opened(String(path[..<path.lastIndex(of: "/")!]), O_RDONLY)
            defer { close(folder) }
            while flock(folder, LOCK_EX) != 0 {}
            return try rename(adding: key)
        }
    }

    /// Creates its own file before the wait in half of the edits, as `sed -i` does.
    private func rename(adding key: String) throws -> EditResult {
        guard var notes = KeyValueText(complete: try contents()) else { return .fileIncomplete }
        notes.values[key] = "1"
        let own = "\(path).\(name).\(getpid())"
        let isEarly = Bool.random()
        if !isEarly { pause(upTo: 2 * think) }
        let descriptor = try opened(own, O_WRONLY | O_CREAT | O_TRUNC)
        if isEarly { pause(upTo: 2 * think) }
        write(notes.bytes[...], to: descriptor, at: 0)
        close(descriptor)
        guard Glibc.rename(own, path) == 0 else { fail("rename: \(String(cString: strerror(errno)))") }
        return .written
    }

    private func truncate(adding key: String) throws -> EditResult {
        guard var notes = KeyValueText(complete: try contents()) else { return .fileIncomplete }
        notes.values[key] = "1"
        pause(upTo: 2 * think)
        let descriptor = try opened(path, O_WRONLY | O_TRUNC)
        defer { close(descriptor) }
        let isRemoved = isRemoved(descriptor)
        let bytes = notes.bytes
        write(bytes[..<(bytes.count / 2)], to: descriptor, at: 0)
        usleep(3_000)
        write(bytes[(bytes.count / 2)...], to: descriptor, at: bytes.count / 2)
        return isRemoved ? .writtenToRemovedVersion : .written
    }

    private func hold(adding key: String) throws -> EditResult {
        let descriptor = try opened(path, O_RDWR)
        defer { close(descriptor) }
        let isRemoved = isRemoved(descriptor)
        let isEarly = Bool.random()
        let early = isEarly ? read(descriptor) : []
        usleep(useconds_t(hold))
        guard var notes = KeyValueText(complete: isEarly ? early : read(descriptor)) else { return .fileIncomplete }
        notes.values[key] = "1"
        write(notes.bytes[...], to: descriptor, at: 0)
        ftruncate(descriptor, notes.bytes.count)
        return isRemoved ? .writtenToRemovedVersion : .written
    }
}

extension ExternalWriter {
    private func opened(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { fail("\(path): \(String(cString: strerror(errno)))") }
        return descriptor
    }

    /// Whether the open version has no name.
    private func isRemoved(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    private func contents() throws -> [UInt8] {
        let descriptor = try opened(path, O_RDONLY)
        defer { close(descriptor) }
        return read(descriptor)
    }

    private func read(_ descriptor: Int32) -> [UInt8] {
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = pread(descriptor, &part, part.count, result.count), count > 0 {
            result.append(contentsOf: part[..<count])
        }
        return result
    }

    private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, at offset: Int) {
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
        if count != bytes.count { fail("pwrite: \(String(cString: strerror(errno)))") }
    }
}
