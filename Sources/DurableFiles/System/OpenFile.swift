internal import Glibc

/// A file or a folder that is open; it is closed when this is gone, on every way out, and nobody is held back from it
/// any longer.
struct OpenFile<Calls: FileCalls>: ~Copyable {
    let calls: Calls
    let descriptor: Int32
    private let isKeptFromChildren: Bool
    /// What was taken, which the kernel may have broken since.
    fileprivate(set) var lease = LeaseKind.none
    fileprivate(set) var isLocked = false
    private var isOpen = true

    init(_ path: String, _ flags: Int32, calls: Calls) throws(ErrorNumber) {
        descriptor = try uninterrupted { () throws(ErrorNumber) in try calls.open(path, flags) }
        self.calls = calls
        isKeptFromChildren = false
    }

    /// What can be locked or leased: a child of this process would keep it so.
    init(
        _ calls: Calls, opening open: (Calls) throws(ErrorNumber) -> Int32
    ) throws(ErrorNumber) {
        descriptor = try uninterrupted { () throws(ErrorNumber) in try open(calls) }
        self.calls = calls
        calls.keepFromChildren(descriptor)
        isKeptFromChildren = true
    }

    deinit { release() }

    /// Closes it before its time; nothing can be done with it afterwards.
    mutating func close() {
        release()
        isOpen = false
    }

    // Closing alone would leave lease and lock with a child that was forked meanwhile.
    private func release() {
        guard isOpen else { return }
        if lease != .none { try? calls.setLease(of: descriptor, to: .none) }
        if isLocked { calls.unlock(descriptor) }
        if isKeptFromChildren { calls.keepFromChildrenNoMore(descriptor) }
        calls.close(descriptor)
    }

    func status() throws(ErrorNumber) -> FileStatus {
        try uninterrupted { () throws(ErrorNumber) in try calls.status(of: descriptor) }
    }
}

extension OpenFile {
    /// The first `count` bytes; fewer where the file ends before.
    func bytes(count: Int) throws(ErrorNumber) -> [UInt8] {
        try [UInt8](capacity: count) { (span: inout OutputSpan<UInt8>) throws(ErrorNumber) in
            try span.withUnsafeMutableBufferPointer { (buffer, filled) throws(ErrorNumber) in
                filled = try fill(
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
            }
        }
    }

    /// All bytes of a file that does not say how many it has; where those are more than `limit`, a part that is more.
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

    /// Fills `buffer` with what stands from `offset` on, as far as there is something: how many bytes came.
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
    /// Writes all of `bytes`, beginning at `offset`.
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
            // Nothing says why, and nothing would change.
            if more == 0 { throw ErrorNumber(EIO) }
            written += more
        }
    }

    func setSize(_ size: Int) throws(ErrorNumber) {
        try uninterrupted { () throws(ErrorNumber) in try calls.setSize(of: descriptor, to: size) }
    }

    func synchroniseData() throws(ErrorNumber) {
        try uninterrupted { () throws(ErrorNumber) in try calls.synchroniseData(of: descriptor) }
    }
}

extension OpenFile {
    /// Holds others back from the file from now on; EAGAIN while somebody has it open in a way that it would forbid.
    ///
    /// The kernel tells the holder by a signal that somebody waits, and the one it takes by itself, SIGIO, ends the
    /// process. So another is chosen, goes to this thread alone, which does not let it come, and then to nobody: whoever
    /// holds a lease here asks.
    mutating func take(_ kind: LeaseKind) throws(ErrorNumber) {
        let mask = calls.holdSignal()
        defer { calls.releaseSignal(mask, of: descriptor) }
        try uninterrupted { () throws(ErrorNumber) in try calls.sendSignals(of: descriptor, to: .thisThread) }
        try uninterrupted { () throws(ErrorNumber) in try calls.chooseSignal(of: descriptor) }
        try uninterrupted { () throws(ErrorNumber) in try calls.setLease(of: descriptor, to: kind) }
        lease = kind
        try uninterrupted { () throws(ErrorNumber) in try calls.sendSignals(of: descriptor, to: .nobody) }
    }

    /// Lets those who wait have the file.
    mutating func giveBackLease() {
        if lease == .none { return }
        // It can only fail where there is none.
        try? uninterrupted { () throws(ErrorNumber) in try calls.setLease(of: descriptor, to: .none) }
        lease = .none
    }

    /// Whether nobody whom the lease holds back has come since it was taken.
    func isLeaseWhole() throws(ErrorNumber) -> Bool {
        try uninterrupted { () throws(ErrorNumber) in try calls.lease(of: descriptor) } == lease
    }

    /// EAGAIN while somebody else has it.
    mutating func lock() throws(ErrorNumber) {
        try uninterrupted { () throws(ErrorNumber) in try calls.lock(descriptor) }
        isLocked = true
    }
}
