import CLinux
import Glibc

/// A connection of a client and the one to the target that belongs to it.
struct ProxyConnection {
    let client: Int32
    let target: Int32
    /// The port of the client's end, which tells its process.
    let clientPort: UInt16
    var requests: ProxyStream
    var answers: ProxyStream
    /// Whether nothing is forwarded because of its process.
    var isHeldBack = false

    init(client: Int32, target: Int32, clientPort: UInt16) {
        (self.client, self.target, self.clientPort) = (client, target, clientPort)
        requests = ProxyStream(from: client, to: target)
        answers = ProxyStream(from: target, to: client)
    }

    /// What `poll` shall wait for.
    var interests: [pollfd] {
        if isHeldBack { return [] }
        return [
            Self.interest(client, reads: requests.waitsForSource, writes: answers.waitsForDestination),
            Self.interest(target, reads: answers.waitsForSource, writes: requests.waitsForDestination),
        ].compactMap(\.self)
    }

    private static func interest(_ descriptor: Int32, reads: Bool, writes: Bool) -> pollfd? {
        // Without events, poll would still report the end of a connection, again and again.
        guard reads || writes else { return nil }
        return pollfd(fd: descriptor, events: Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), revents: 0)
    }

    /// Forwards what it can. Returns false if the connection is closed now.
    mutating func advance(dropsAnswers: Bool) -> Bool {
        do {
            try requests.advance(drops: false)
            try answers.advance(drops: dropsAnswers)
        } catch {
            reset()
            return false
        }
        guard requests.isFinished, answers.isFinished || answers.isIncomplete else { return true }
        for descriptor in [client, target] { close(descriptor) }
        return false
    }

    /// Closes both sides so that they read ECONNRESET.
    func reset() { for descriptor in [client, target] { LoopbackSocket.reset(descriptor) } }
}
