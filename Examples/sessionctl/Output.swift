import Glibc
import VisibleText

/// An unbuffered output stream.
struct Output {
    private let descriptor: Int32
    private let title: String
    /// Whether a termination signal can end the wait for a reader that has stopped reading.
    private let isInterruptible: Bool

    init(descriptor: Int32, title: String, isInterruptible: Bool = false) {
        (self.descriptor, self.title, self.isInterruptible) = (descriptor, title, isInterruptible)
    }

    /// For results.
    static let standard = Output(descriptor: STDOUT_FILENO, title: "standard output")

    /// For errors and warnings.
    static let messages = Output(descriptor: STDERR_FILENO, title: "standard error", isInterruptible: true)

    func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if isInterruptible, !SignalPipe.waitUntilWritable(descriptor) { throw .outputClosed }
            // A pipe that is writable takes so many bytes without a wait.
            let part = isInterruptible ? rest.prefix(Int(PIPE_BUF)) : rest
            let count = part.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let errorNumber = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errorNumber == EPIPE {
                throw .outputClosed
            } else if !RetryableError.shouldRetry(errorNumber, descriptor, waitingFor: POLLOUT) {
                throw .systemError(title, errorNumber: errorNumber)
            }
        }
    }

    /// Writes text and a newline. Ignores write errors, since the exit code reports the result too.
    func writeLine(_ text: String) {
        do throws(Failure) { try write(text.visibleLines + "\n") } catch {}
    }
}

/// Errors of `read` and `write` after which the call is repeated.
enum RetryableError {
    /// Whether to repeat a failed call: after EINTR, and after EAGAIN once the descriptor, which another process set to
    /// nonblocking, is ready.
    static func shouldRetry(_ errorNumber: Int32, _ descriptor: Int32, waitingFor events: Int32) -> Bool {
        switch errorNumber {
        case EINTR: return true
        case EAGAIN:
            var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            return poll(&request, 1, -1) >= 0 || errno == EINTR
        default: return false
        }
    }
}

/// Standard input, output and error.
enum StandardDescriptors {
    /// Opens unusable descriptors in place of closed ones, so that a file opened later does not become standard output.
    static func fillClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // `open` returns the lowest free number, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
