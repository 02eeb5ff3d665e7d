internal import Glibc
internal import Locking

/// The real system calls. Paths are passed by `withCString`, because passing a `String` would copy it to the heap.
///
/// A class although it stores nothing: in unoptimized builds, Swift 6.3 does not run the deinit of an ``OpenFile`` that
/// consists of trivial values only, so its descriptor would leak.
package final class Kernel: FileCalls, Sendable {
    package static let shared = Kernel()

    private init() {}
}

extension Kernel: ReadingCalls {
    package func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    package func status(of descriptor: Int32) throws(ErrorNumber) -> FileStatus {
        var result = stat()
        _ = try errnoResult(fstat(descriptor, &result)).get()
        return FileStatus(result)
    }

    package func status(at path: String) throws(ErrorNumber) -> FileStatus {
        var result = stat()
        _ = try path.withCString { errnoResult(stat($0, &result)) }.get()
        return FileStatus(result)
    }

    package func read(
        _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ErrorNumber) -> Int {
        try errnoResult(pread(descriptor, buffer.baseAddress, buffer.count, offset)).get()
    }

    package var monotonicMicroseconds: Int { Int(Instant.now.nanoseconds / 1_000) }

    package var now: FileTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(time)
    }

    package func pause(microseconds: Int) {
        var rest = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1_000)
        var unslept = timespec()
        while nanosleep(&rest, &unslept) != 0, errno == EINTR { rest = unslept }
    }
}

/// Converts a return value into a result. The only place that reads `errno`, before another call can change it.
func errnoResult<Value: SignedInteger>(_ value: Value) -> Result<Value, ErrorNumber> {
    value < 0 ? .failure(ErrorNumber(errno)) : .success(value)
}

/// Repeats a call while signals interrupt it (EINTR).
func uninterrupted<Result: ~Copyable>(_ call: () throws(ErrorNumber) -> Result) throws(ErrorNumber) -> Result {
    while true {
        do throws(ErrorNumber) {
            return try call()
        } catch {
            if error.rawValue != EINTR { throw error }
        }
    }
}
