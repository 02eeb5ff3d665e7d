import Glibc
import VisibleText

/// An unbuffered output stream.
struct Output {
    let descriptor: Int32

    static let standard = Output(descriptor: STDOUT_FILENO)
    static let messages = Output(descriptor: STDERR_FILENO)

    /// Writes text and a newline. Returns 0, or the number of the error that prevents it.
    @discardableResult
    func writeLine(_ text: String) -> Int32 {
        let bytes = Array((text.visibleLines + "\n").utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process has made the descriptor nonblocking.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
