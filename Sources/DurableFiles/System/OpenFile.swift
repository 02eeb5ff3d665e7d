internal import Glibc

/// An open file or directory. Its deinit closes the descriptor and releases the lease and the lock.
struct OpenFile<System: FileCalls>: ~Copyable {
    let calls: System
    let descriptor: Int32
    /// The lease that was taken; the kernel may have broken it since.
    fileprivate(set) var lease = LeaseKind.none
    fileprivate(set) var isLocked = false
    private var isOpen = true

    /// Opens a file. The descriptor is closed in forked children, which would keep a lock or a lease otherwise.
    init(
        _ calls: System, opening open: (System) throws(ErrorNumber) -> Int32
    ) throws(ErrorNumber) {
        descriptor = try uninterrupted { () throws(ErrorNumber) in try open(calls) }
        self.calls = calls
        calls.closeInForkedChildren(descriptor)
    }

    deinit { release() }

    /// Closes the file early; it cannot be used afterwards.
    mutating func close() {
        release()
        isOpen = false
    }

    // Releases lease and lock explicitly: after `close` alone, a child forked meanwhile would keep them.
    private func release() {
        guard isOpen else { return }
        if lease != .none { try? calls.setLease(of: descriptor, to: .none) }
        if isLocked { calls.unlock(descriptor) }
        calls.stopClosingInForkedChildren(descriptor)
        calls.close(descriptor)
    }

    func status() throws(ErrorNumber) -> FileStatus {
        try uninterrupted { () throws(ErrorNumber) in try calls.status(of: descriptor) }
    }
}

extension OpenFile {
    /// Returns the first `count` bytes, or fewer if the file is shorter.
    func bytes(count: Int) throws(ErrorNumber) -> [UInt8] {
        let storage = ByteStorage()
        try read(count: count, into: storage)
        return storage.bytes
    }

    /// Reads the first `count` bytes, or fewer if the file is shorter.
    func read(count: Int, into storage: any FileStorage) throws(ErrorNumber) {
        try storage.replace(capacity: count) { (memory) throws(ErrorNumber) in try fill(memory) }
    }

    /// Returns all bytes of a file of unknown size; stops once it has more than `limit` bytes.
    func bytes(past limit: Int) throws(ErrorNumber) -> [UInt8] {
        var result: [UInt8] = []
        try withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { (part) throws(ErrorNumber) in
            while result.count <= limit {
                let count = try fill(part, from: result.count)
                result.append(contentsOf: part[..<count])
                if count < part.count { break }
            }
        }
        return result
    }

    /// Reads from `offset` until `buffer` is full or the file ends; returns the number of bytes.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int = 0) throws(ErrorNumber) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let read = try uninterrupted { () throws(ErrorNumber) in
                try calls.read(descriptor, at: offset + count, into: rest)
            }
            if read == 0 { break }
            count += read
        }
        return count
    }
}

extension OpenFile {
    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(ErrorNumber) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.dropFirst(written)
            let count: Result<Int, ErrorNumber> = rest.withUnsafeBytes { buffer in
                Result { () throws(ErrorNumber) in
                    try uninterrupted { () throws(ErrorNumber) in
                        try calls.write(buffer, to: descriptor, at: offset + written)
                    }
                }
            }
            let more = try count.get()
            // A write of 0 bytes gives no reason, and a retry would not help.
            if more == 0 { throw ErrorNumber(EIO) }
            written += more
        }
    }

    func setSize(_ size: Int) throws(ErrorNumber) {
        try uninterrupted { () throws(ErrorNumber) in try calls.setSize(of: descriptor, to: size) }
    }

    func synchronizeData() throws(ErrorNumber) {
        try uninterrupted { () throws(ErrorNumber) in try calls.synchronizeData(of: descriptor) }
    }
}

extension OpenFile {
    /// Takes a lease; fails with EAGAIN while a process has the file open in a conflicting mode.
    ///
    /// The kernel signals a lease break, by default with SIGIO, which ends the process. Therefore another signal is
    /// selected and directed to this thread, which blocks it, until the lease is taken, and to no thread after that.
    /// The holder of a lease polls it with `isLeaseUnbroken` instead.
    mutating func takeLease(_ kind: LeaseKind) throws(ErrorNumber) {
        let mask = calls.blockLeaseSignal()
        defer { calls.unblockLeaseSignal(mask, of: descriptor) }
        try uninterrupted { () throws(ErrorNumber) in try calls.setSignalReceiver(of: descriptor, to: .thisThread) }
        try uninterrupted { () throws(ErrorNumber) in try calls.setLeaseSignal(of: descriptor) }
        try uninterrupted { () throws(ErrorNumber) in try calls.setLease(of: descriptor, to: kind) }
        lease = kind
        try uninterrupted { () throws(ErrorNumber) in try calls.setSignalReceiver(of: descriptor, to: .nobody) }
    }

    /// Releases the lease, so that waiting processes can open the file.
    mutating func releaseLease() {
        if lease == .none { return }
        // Fails only if there is no lease.
        try? uninterrupted { () throws(ErrorNumber) in try calls.setLease(of: descriptor, to: .none) }
        lease = .none
    }

    /// Returns whether no process that the lease blocks has tried to open the file since the lease was taken.
    func isLeaseUnbroken() throws(ErrorNumber) -> Bool {
        try uninterrupted { () throws(ErrorNumber) in try calls.lease(of: descriptor) } == lease
    }

    /// Takes the lock; fails with EAGAIN while another process holds it.
    mutating func lock() throws(ErrorNumber) {
        try uninterrupted { () throws(ErrorNumber) in try calls.lock(descriptor) }
        isLocked = true
    }
}
