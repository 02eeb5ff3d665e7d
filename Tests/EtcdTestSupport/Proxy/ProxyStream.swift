import Glibc

/// One direction of a connection through a ``LoopbackProxy``.
struct ProxyStream {
    /// Why a connection cannot continue: one side has reset it.
    struct Failure: Error {}

    let source: Int32
    let destination: Int32
    /// Bytes that the destination has no room for yet.
    private var pending: [UInt8] = []
    private var isAtEnd = false
    /// Whether the destination has been told about the end.
    private(set) var isFinished = false
    private(set) var forwardedBytes = 0
    private(set) var droppedBytes = 0
    /// Whether bytes or the end have been dropped.
    private(set) var isIncomplete = false

    init(from source: Int32, to destination: Int32) { (self.source, self.destination) = (source, destination) }

    var waitsForSource: Bool { pending.isEmpty && !isAtEnd }
    var waitsForDestination: Bool { !pending.isEmpty }

    private static let capacity = 1 << 16
    /// Leaves time to other connections.
    private static let maximumSteps = 16

    /// Forwards or drops what can be read and written now.
    mutating func advance(drops: Bool) throws(Failure) {
        for _ in 1...Self.maximumSteps {
            let didAdvance =
                waitsForDestination ? try write() : isAtEnd ? finish(drops: drops) : try readOnce(drops: drops)
            guard didAdvance else { return }
        }
    }

    private mutating func write() throws(Failure) -> Bool {
        let count = send(destination, pending, pending.count, Int32(MSG_NOSIGNAL))
        if count < 0 { return try Self.check() }
        pending.removeFirst(count)
        forwardedBytes += count
        return true
    }

    private mutating func readOnce(drops: Bool) throws(Failure) -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.capacity)
        let count = read(source, &bytes, bytes.count)
        if count < 0 { return try Self.check() }
        if count == 0 {
            isAtEnd = true
        } else if drops {
            droppedBytes += count
            isIncomplete = true
        } else {
            pending = Array(bytes.prefix(count))
        }
        return true
    }

    private mutating func finish(drops: Bool) -> Bool {
        if drops {
            isIncomplete = true
        } else if !isFinished {
            shutdown(destination, Int32(SHUT_WR))
            isFinished = true
        }
        return false
    }

    /// Whether to try again after a failed call; false if the socket is not ready.
    private static func check() throws(Failure) -> Bool {
        guard [EINTR, EAGAIN].contains(errno) else { throw Failure() }
        return errno == EINTR
    }
}
