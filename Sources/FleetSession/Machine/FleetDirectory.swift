internal import CLinux
internal import DurableFiles
internal import EtcdClient
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// The directory for what the processes of a machine keep about a file of a fleet: the last common text, the key, and
/// locks.
final class FleetDirectory: Sendable {
    let path: String
    private let key: String
    private let parsing: JSONDocument.Options
    private let staleWriteWindow: Duration
    /// Shared with other processes, for as long as this one uses the directory.
    private let keyLock: FileLock
    /// The last common text that was read, and the version of the file that had it.
    private let last = Lock<(identity: FileIdentity, text: CommonText)?>(nil)

    /// - Throws: A `FileError` if the directory cannot be created, an ``EtcdError`` if another process of the machine
    ///   uses it for another key.
    init(
        _ path: String, of key: String, _ parsing: JSONDocument.Options, staleWriteWindow: Duration = .seconds(1)
    ) throws {
        (self.path, self.key, self.parsing, self.staleWriteWindow) = (path, key, parsing, staleWriteWindow)
        try Directory(path).create()
        keyLock = try FileLock(path + "/key")
        let own = Array(key.utf8)
        var used = try keyLock.share(content: own)
        // Another process may end just now, or be refused itself.
        for _ in 0..<10 where used != own {
            keyLock.unlock()
            usleep(1_000)
            used = try keyLock.share(content: own)
        }
        if used != own {
            throw EtcdError(
                .invalidOptions,
                "another process of this machine shares the file under the key \"\(String(decoding: used, as: UTF8.self))\"; "
                    + "a file has one key")
        }
    }

    /// Lets other processes use it for another key.
    func close() { keyLock.unlock() }

    /// The hidden directory beside a file.
    static func standardPath(for file: String) -> String {
        let cut = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
        return "\(file[..<cut]).\(file[cut...]).fleet"
    }

    /// Held for a step of the synchronization, and for a commit.
    var stepLock: FileLock { get throws(FileError) { try FileLock(path + "/lock") } }

    /// Held by the process that exchanges the changes of the file, for as long as it does.
    var roleLock: FileLock { get throws(FileError) { try FileLock(path + "/role") } }

    /// What nobody reaches: the store has a limit of its own.
    private static let sizeLimit = 1 << 32

    private var file: DurableFile { DurableFile(path + "/common.json") }

    /// Reads the last common text. Blocks the thread; called while holding the step lock.
    ///
    /// A file that cannot be used counts as none: then the text of the store is merged with that of the machine as if
    /// they had met for the first time.
    func commonText() throws(FileError) -> CommonText {
        var text = try storedCommonText()
        let now = now
        text.replacedValues.keep(now - max(Self.retention, window)...now)
        return text
    }

    /// How long replaced values are kept, in milliseconds: until some process of the machine finds that one was written
    /// back, also if all have ended meanwhile.
    private static let retention = 60_000

    private var window: Int { Int(staleWriteWindow / .milliseconds(1)) }

    /// When the stale write window began that ends now.
    var windowStart: Int { now - window }

    /// When the stale write window began in which a file was written last. Its status cannot be set back, unlike the
    /// times of its content.
    func windowStart(ofFile path: String) -> Int {
        let written = (try? Kernel.shared.status(at: path)).map { Self.milliseconds($0.identity.changed) }
        return min(now, written ?? .max) - window
    }

    /// In milliseconds since 1970.
    var now: Int { Self.milliseconds(Kernel.shared.now) }

    private static func milliseconds(_ time: FileTime) -> Int {
        Int(time.seconds) * 1_000 + Int(time.nanoseconds) / 1_000_000
    }

    private func storedCommonText() throws(FileError) -> CommonText {
        do throws(FileError) {
            let identity = try file.identity()
            if let last = last.withLock({ $0 }), last.identity == identity { return last.text }
            let contents = try file.read(limit: Self.sizeLimit)
            let text = CommonText(contents.bytes, of: key, parsing) ?? .none
            remember(text, contents.identity)
            return text
        } catch {
            if error.code == .missing { return .none }
            throw error
        }
    }

    /// Replaces the last common text. Blocks the thread; called while holding the step lock.
    ///
    /// - Parameter isDurable: Whether the text must outlast a failure of the machine, not only the end of the process.
    func setCommonText(_ text: CommonText, isDurable: Bool = true) throws {
        let bytes = text.bytes(of: key)
        try file.replace(limit: Self.sizeLimit, options: isDurable ? .durable : .fast) { _ in bytes }
        remember(text, try file.identity())
    }

    private func remember(_ text: CommonText, _ identity: FileIdentity) {
        last.withLock { $0 = (identity, text) }
    }
}

/// A lock among processes, which the kernel releases when its holder dies. Each instance is a holder of its own.
final class FileLock: Sendable {
    private let descriptor: Int32
    let path: String

    init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw FileError(ErrorNumber(errno), path, .open) }
    }

    deinit { close(descriptor) }

    /// Waits for the lock on a thread that may block.
    func lock() async throws(FileError) {
        if tryLock() { return }
        try await BlockingWork.run { () throws(FileError) in
            while clinux_lock(self.descriptor, LOCK_EX) < 0 {
                if errno != EINTR { throw FileError(ErrorNumber(errno), self.path, .open) }
            }
        }
    }

    func tryLock() -> Bool { clinux_lock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Shares the lock with the processes that do so. The first of them writes the content of the file.
    ///
    /// - Returns: The content. Waits only while another process writes it.
    func share(content: [UInt8]) throws(FileError) -> [UInt8] {
        if tryLock() {
            guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, content, content.count, 0) == content.count else {
                throw FileError(ErrorNumber(errno), path, .write)
            }
        }
        while clinux_lock(descriptor, LOCK_SH) < 0 {
            if errno != EINTR { throw FileError(ErrorNumber(errno), path, .open) }
        }
        return try DurableFile(path).read(limit: 1 << 16).bytes
    }

    func unlock() { _ = clinux_lock(descriptor, LOCK_UN) }
}
