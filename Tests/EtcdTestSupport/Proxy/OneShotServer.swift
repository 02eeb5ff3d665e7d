import CLinux
import Glibc
import TestSupport

/// A TCP server on 127.0.0.1 that reads one HTTP request of each connection and then always does the same.
///
/// ```swift
/// let server = try OneShotServer(.page(status: "502 Bad Gateway", "<html>"))
/// ```
///
/// It serves one connection after the other.
package final class OneShotServer: Sendable {
    package enum Reaction: Sendable {
        case close
        case reset
        /// Sends these bytes and closes the connection.
        case answer([UInt8])
        /// Keeps the connection open without an answer.
        case silence
    }

    package let port: UInt16
    package var url: String { "http://127.0.0.1:\(port)" }

    private let received = Received<String>()
    private let wakeup: Int32
    private let thread: TestThread

    package init(_ reaction: Reaction) throws {
        let port = try LoopbackSocket.freePort()
        let (listener, wakeup) = (try LoopbackSocket.listening(on: port), clinux_wakeup_open())
        precondition(wakeup >= 0, "no eventfd")
        (self.port, self.wakeup) = (port, wakeup)
        thread = TestThread { [received] in
            var service = Service(listener: listener, wakeup: wakeup, reaction: reaction, received: received)
            service.run()
        }
    }

    deinit {
        clinux_wakeup_send(wakeup)
        thread.join()
        close(wakeup)
    }

    /// The requests that have been read, head and body.
    package var requests: [String] { received.items }
}

extension OneShotServer.Reaction {
    /// Answers with an HTTP response that has the status, such as "502 Bad Gateway".
    package static func page(status: String, type: String = "text/html", _ body: String) -> Self {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
        return .answer(Array("\(head)Connection: close\r\n\r\n\(body)".utf8))
    }
}

/// The thread of a ``OneShotServer``.
private struct Service {
    let listener: Int32
    let wakeup: Int32
    let reaction: OneShotServer.Reaction
    let received: Received<String>
    private var silent: [Int32] = []

    init(listener: Int32, wakeup: Int32, reaction: OneShotServer.Reaction, received: Received<String>) {
        (self.listener, self.wakeup, self.reaction, self.received) = (listener, wakeup, reaction, received)
    }

    mutating func run() {
        while wait(for: listener) {
            while let (connection, _) = LoopbackSocket.accepted(from: listener) { serve(connection) }
        }
        for descriptor in silent + [listener] { close(descriptor) }
    }

    /// Waits until the descriptor can be read; false at the end of the server.
    private func wait(for descriptor: Int32) -> Bool {
        var requests = [wakeup, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&requests, 2, -1) < 0 {}
        return requests[0].revents == 0
    }

    private mutating func serve(_ connection: Int32) {
        guard let request = read(connection) else {
            close(connection)
            return
        }
        received.add(request)
        switch reaction {
        case .close: close(connection)
        case .reset: LoopbackSocket.reset(connection)
        case .silence: silent.append(connection)
        case .answer(let bytes):
            LoopbackSocket.setBlocking(connection, true)
            send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }

    /// Reads one request; nil if the connection or the server ends before.
    private func read(_ connection: Int32) -> String? {
        var (text, part) = ("", [UInt8](repeating: 0, count: 1 << 16))
        while !Self.isComplete(text) {
            guard wait(for: connection) else { return nil }
            let count = Glibc.read(connection, &part, part.count)
            guard count > 0 || count < 0 && [EINTR, EAGAIN].contains(errno) else { return nil }
            text += String(decoding: part.prefix(max(count, 0)), as: UTF8.self)
        }
        return text
    }

    private static func isComplete(_ request: String) -> Bool {
        guard let end = request.firstRange(of: "\r\n\r\n") else { return false }
        let lines = request[..<end.lowerBound].lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length:") }?.split(separator: " ").last.flatMap { Int($0) }
        return request[end.upperBound...].utf8.count >= length ?? 0
    }
}
