import Glibc

/// The errors of reading and writing that mean "try again".
enum Interruption {
    /// Whether a call that failed may be repeated now: a signal came in between, or it had to be waited for a descriptor
    /// that somebody else set to non-blocking.
    static func isOver(_ errorNumber: Int32, _ descriptor: Int32, waitingFor events: Int32) -> Bool {
        switch errorNumber {
        case EINTR: return true
        case EAGAIN:
            var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            return poll(&request, 1, -1) >= 0 || errno == EINTR
        default: return false
        }
    }
}
