internal import Glibc

/// The real system calls. A path is handed over by `withCString`, since passing a `String` would copy it to the heap.
///
/// A class though it holds nothing: in builds that are not optimised Swift 6.3 forgets to end an ``OpenFile`` that
/// holds nothing but plain values, so that it would stay open.
package final class Kernel: FileCalls, Sendable {
    package static let shared = Kernel()

    private init() {}
}

extension Kernel: ReadingCalls {
    package func open(_ path: String, _ flags: Int32) throws(ErrorNumber) -> Int32 {
        try path.withCString { outcome(Glibc.open($0, flags)) }.get()
    }

    package func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    package func status(of descriptor: Int32) throws(ErrorNumber) -> FileStatus {
        var result = stat()
        _ = try outcome(fstat(descriptor, &result)).get()
        return FileStatus(result)
    }

    package func status(at path: String) throws(ErrorNumber) -> FileStatus {
        var result = stat()
        _ = try path.withCString { outcome(stat($0, &result)) }.get()
        return FileStatus(result)
    }

    package func read(
        _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ErrorNumber) -> Int {
        try outcome(pread(descriptor, buffer.baseAddress, buffer.count, offset)).get()
    }

    package func pause(microseconds: Int) {
        var rest = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1_000)
        var unslept = timespec()
        while nanosleep(&rest, &unslept) != 0, errno == EINTR { rest = unslept }
    }
}

/// The one place that looks at `errno`, before anything else can change it.
func outcome<Value: SignedInteger>(_ value: Value) -> Result<Value, ErrorNumber> {
    value < 0 ? .failure(ErrorNumber(errno)) : .success(value)
}

/// Makes a call again for as long as signals interrupt it: the one place for that.
func uninterrupted<Result: ~Copyable>(_ call: () throws(ErrorNumber) -> Result) throws(ErrorNumber) -> Result {
    while true {
        do throws(ErrorNumber) {
            return try call()
        } catch {
            if error.rawValue != EINTR { throw error }
        }
    }
}
