import FileScripts
import Glibc

/// A process that edits the file as other programs do, knowing nothing of this library. It reads, thinks, and writes all
/// of it back.
///
/// THINK is how long it thinks between reading and writing, HOLD how long it keeps the file open, GAP how long it rests,
/// each in microseconds.
struct Foreigner {
    enum Manner: String {
        /// A file of its own, renamed over: most editors, `sed -i`.
        case rename
        /// Opens for writing, which empties the file, and writes in two steps: `cat >`.
        case truncate
        /// Keeps the file open for reading and writing while it thinks, and writes in place.
        case hold
        /// Renames under the lock of the folder, as a careful script does with `flock`.
        case locked
    }

    let manner: Manner
    let path: String
    let name: String
    let keys: Keys
    let log: Log

    private let think = setting("THINK", or: 2_000)
    private let hold = setting("HOLD", or: 50_000)
    private let gap = setting("GAP", or: 8_000)

    init(manner: Manner, path: String, name: String, keys: Keys, log: Log) {
        (self.manner, self.path, self.name, self.keys, self.log) = (manner, path, name, keys, log)
    }

    func run() throws {
        Log.listen()
        try keys.run { index in
            let key = "\(name).\(index)"
            while !Log.isOver, try !edit(adding: key) {}
            if Log.isOver { return }
            log.add(key)
            pause(upTo: 2 * gap)
        }
    }

    /// False when the file was half written by another one.
    private func edit(adding key: String) throws -> Bool {
        switch manner {
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

    /// Half of the time it creates its own file before it thinks, as `sed -i` does.
    private func rename(adding key: String) throws -> Bool {
        guard var notes = Notes(complete: try contents()) else { return false }
        notes.values[key] = "1"
        let own = "\(path).\(name).\(getpid())"
        let isEarly = Bool.random()
        if !isEarly { pause(upTo: 2 * think) }
        let descriptor = try opened(own, O_WRONLY | O_CREAT | O_TRUNC)
        if isEarly { pause(upTo: 2 * think) }
        write(notes.bytes[...], to: descriptor, at: 0)
        close(descriptor)
        guard Glibc.rename(own, path) == 0 else { fail("rename: \(String(cString: strerror(errno)))") }
        return true
    }

    private func truncate(adding key: String) throws -> Bool {
        guard var notes = Notes(complete: try contents()) else { return false }
        notes.values[key] = "1"
        pause(upTo: 2 * think)
        let descriptor = try opened(path, O_WRONLY | O_TRUNC)
        defer { close(descriptor) }
        let bytes = notes.bytes
        write(bytes[..<(bytes.count / 2)], to: descriptor, at: 0)
        usleep(3_000)
        write(bytes[(bytes.count / 2)...], to: descriptor, at: bytes.count / 2)
        return true
    }

    private func hold(adding key: String) throws -> Bool {
        let descriptor = try opened(path, O_RDWR)
        defer { close(descriptor) }
        let isEarly = Bool.random()
        let early = isEarly ? read(descriptor) : []
        usleep(useconds_t(hold))
        guard var notes = Notes(complete: isEarly ? early : read(descriptor)) else { return false }
        notes.values[key] = "1"
        write(notes.bytes[...], to: descriptor, at: 0)
        ftruncate(descriptor, notes.bytes.count)
        return true
    }
}

extension Foreigner {
    private func opened(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { fail("\(path): \(String(cString: strerror(errno)))") }
        return descriptor
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
