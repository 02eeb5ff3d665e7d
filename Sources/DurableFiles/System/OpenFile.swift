/// A file that is open; it is closed when this is gone, on every way out.
struct OpenFile<Calls: FileCalls>: ~Copyable {
    private let calls: Calls
    private let descriptor: Int32

    init(_ path: String, _ flags: Int32, calls: Calls) throws(ErrorNumber) {
        descriptor = try uninterrupted { () throws(ErrorNumber) in try calls.open(path, flags) }
        self.calls = calls
    }

    deinit { calls.close(descriptor) }

    func status() throws(ErrorNumber) -> FileStatus {
        try uninterrupted { () throws(ErrorNumber) in try calls.status(of: descriptor) }
    }

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
