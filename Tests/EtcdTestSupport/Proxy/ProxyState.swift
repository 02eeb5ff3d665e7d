import CLinux
import Glibc

/// The connections of a ``LoopbackProxy`` and what is done with them.
struct ProxyState {
    enum Mode { case forwarding, stopped, droppingAnswers }

    let port: UInt16
    let targetPort: UInt16
    private let listener: Int32
    private var connections: [ProxyConnection] = []
    private(set) var isEnded = false
    private var mode = Mode.forwarding
    private var isRefusing = false
    private var heldBackProcesses: Set<Int32> = []
    private var closed = LoopbackProxy.Traffic()

    init(port: UInt16, targetPort: UInt16) throws {
        (self.port, self.targetPort) = (port, targetPort)
        listener = try LoopbackSocket.listening(on: port)
    }

    var traffic: LoopbackProxy.Traffic {
        connections.reduce(into: closed) { traffic, connection in
            traffic.add(connection)
            traffic.openConnections += 1
        }
    }

    // MARK: What the thread does

    /// What `poll` shall wait for, besides the wakeup.
    var interests: [pollfd] {
        if mode == .stopped { return [] }
        let listening = isRefusing ? [] : [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        return listening + connections.flatMap(\.interests)
    }

    /// Forwards on the descriptors that `poll` has reported. A descriptor that was closed and opened again meanwhile does no
    /// harm, because no call blocks.
    mutating func advance(_ ready: Set<Int32>) {
        if isEnded || mode == .stopped { return }
        if !isRefusing, ready.contains(listener) { acceptAll() }
        for index in connections.indices.reversed() {
            let connection = connections[index]
            guard !connection.isHeldBack, ready.contains(connection.client) || ready.contains(connection.target) else {
                continue
            }
            if !connections[index].advance(dropsAnswers: mode == .droppingAnswers) {
                closed.add(connections.remove(at: index))
            }
        }
    }

    private mutating func acceptAll() {
        while let (client, clientPort) = LoopbackSocket.accepted(from: listener) {
            guard let target = try? LoopbackSocket.connected(to: targetPort, isBlocking: false) else {
                LoopbackSocket.reset(client)
                continue
            }
            var connection = ProxyConnection(client: client, target: target, clientPort: clientPort)
            connection.isHeldBack = isHeldBack(connection)
            connections.append(connection)
        }
    }

    // MARK: Commands

    mutating func set(_ mode: Mode) {
        self.mode = mode
        if mode != .stopped, isRefusing {
            isRefusing = false
            listen(listener, SOMAXCONN)
        }
        if mode == .forwarding { removeConnections { $0.answers.isIncomplete } }
    }

    /// Leaves the socket bound, so that no other program gets the port: Linux refuses connections then.
    mutating func refuse() {
        guard !isRefusing else { return }
        isRefusing = true
        shutdown(listener, Int32(SHUT_RD))
    }

    mutating func cut() {
        removeConnections { _ in true }
        while !isRefusing, let (client, _) = LoopbackSocket.accepted(from: listener) { LoopbackSocket.reset(client) }
    }

    mutating func holdBack(_ process: Int32, _ isHeldBack: Bool) {
        if isHeldBack { heldBackProcesses.insert(process) } else { heldBackProcesses.remove(process) }
        for index in connections.indices { connections[index].isHeldBack = self.isHeldBack(connections[index]) }
    }

    private func isHeldBack(_ connection: ProxyConnection) -> Bool {
        heldBackProcesses.contains { process in
            SocketOwner.has(process, connectionFrom: connection.clientPort, to: port)
        }
    }

    mutating func end() {
        isEnded = true
        removeConnections { _ in true }
        close(listener)
    }

    private mutating func removeConnections(where condition: (ProxyConnection) -> Bool) {
        for connection in connections where condition(connection) {
            connection.reset()
            closed.add(connection)
        }
        connections.removeAll(where: condition)
    }
}
