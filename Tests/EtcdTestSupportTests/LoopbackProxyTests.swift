import Glibc
import TestSupport
import Testing

@testable import EtcdTestSupport

@Suite("Proxies")
struct LoopbackProxyTests {
    private let server: OneShotServer
    private let proxy: LoopbackProxy

    init() throws {
        server = try OneShotServer(.page(status: "200 OK", "hello"))
        proxy = try LoopbackProxy(to: server.port)
    }

    private func get(from port: UInt16? = nil) -> String? {
        PlainHTTP.body(ofPort: port ?? proxy.port, path: "/a", within: .patience)
    }

    @Test("Requests and answers are forwarded, and counted")
    func forwarding() {
        #expect(get() == "hello")
        #expect(server.requests == ["GET /a HTTP/1.0\r\n\r\n"])
        eventually("the connection is closed") { proxy.traffic.openConnections == 0 }
        #expect(proxy.traffic.acceptedConnections == 1)
        #expect(proxy.traffic.requestBytes == server.requests[0].utf8.count)
    }

    @Test("A stopped proxy holds back data, and delivers it when it resumes")
    func stopped() throws {
        let client = try Client(to: proxy.port)
        eventually("it is connected") { proxy.traffic.openConnections == 1 }
        proxy.stop()
        try client.send("GET /a HTTP/1.0\r\n\r\n")
        let late = try Client(to: proxy.port)
        try late.send("GET /b HTTP/1.0\r\n\r\n")
        #expect(!client.canRead(within: .milliseconds(20)))
        #expect(server.requests.isEmpty)
        proxy.resume()
        #expect(try client.readToEnd().hasSuffix("hello"))
        #expect(try late.readToEnd().hasSuffix("hello"))
    }

    @Test("A proxy that drops answers forwards requests, and resets the connections when it resumes")
    func droppedAnswers() throws {
        proxy.dropAnswers()
        let client = try Client(to: proxy.port)
        try client.send("GET /a HTTP/1.0\r\n\r\n")
        eventually("the answer is dropped") { proxy.traffic.droppedBytes > 0 }
        #expect(server.requests.count == 1)
        #expect(!client.canRead(within: .milliseconds(20)))
        proxy.resume()
        #expect(throws: TestSupportError.self) { try client.readToEnd() }
        #expect(get() == "hello")
    }

    @Test("A proxy that refuses connections keeps the open ones until they are cut")
    func refused() throws {
        let client = try Client(to: proxy.port)
        eventually("it is connected") { proxy.traffic.openConnections == 1 }
        proxy.refuse()
        #expect(throws: TestSupportError.self) { try Client(to: proxy.port) }
        proxy.cut()
        #expect(throws: TestSupportError.self) { try client.readToEnd() }
        #expect(throws: TestSupportError.self) { try Client(to: proxy.port) }
        proxy.resume()
        #expect(get() == "hello")
    }

    @Test("Connections are reset while nothing listens on the target")
    func missingTarget() throws {
        let proxy = try LoopbackProxy(to: LoopbackSocket.freePort())
        let client = try Client(to: proxy.port)
        #expect(throws: TestSupportError.self) { try client.readToEnd() }
    }

    @Test("Many connections with large answers go through one proxy")
    func many() throws {
        let text = String(repeating: "0123456789", count: 100_000)
        let server = try OneShotServer(.page(status: "200 OK", text))
        let proxy = try LoopbackProxy(to: server.port)
        let answers = Received<Bool>()
        onThreads(50) { _ in answers.add(get(from: proxy.port) == text) }
        #expect(answers.items == Array(repeating: true, count: 50))
        eventually("all are closed") { proxy.traffic.openConnections == 0 }
    }

    @Test("Connections of one process are held back")
    func process() throws {
        proxy.holdBack(getpid(), true)
        let client = try Client(to: proxy.port)
        try client.send("GET /a HTTP/1.0\r\n\r\n")
        eventually("it is connected") { proxy.traffic.openConnections == 1 }
        #expect(!client.canRead(within: .milliseconds(20)))
        proxy.holdBack(getpid(), false)
        #expect(try client.readToEnd().hasSuffix("hello"))
    }

    @Test("A released proxy resets its connections and frees its port")
    func released() throws {
        var proxy: LoopbackProxy? = try LoopbackProxy(to: server.port)
        let port = try #require(proxy?.port)
        let client = try Client(to: port)
        eventually("it is connected") { proxy?.traffic.openConnections == 1 }
        proxy = nil
        #expect(throws: TestSupportError.self) { try client.readToEnd() }
        #expect(throws: TestSupportError.self) { try Client(to: port) }
    }

    @Test("A server closes, resets or keeps silent after a request")
    func reactions() throws {
        for (reaction, isReset) in [(OneShotServer.Reaction.close, false), (.reset, true)] {
            let server = try OneShotServer(reaction)
            let client = try Client(to: server.port)
            try client.send("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n")
            try client.send("abc")
            if isReset {
                #expect(throws: TestSupportError.self) { try client.readToEnd() }
            } else {
                #expect(try client.readToEnd() == "")
            }
        }
        let silent = try OneShotServer(.silence)
        let client = try Client(to: silent.port)
        try client.send("GET /a HTTP/1.0\r\n\r\n")
        eventually("the request is read") { silent.requests.count == 1 }
        #expect(!client.canRead(within: .milliseconds(20)))
    }
}

/// A connection to a port of 127.0.0.1.
private final class Client {
    private let descriptor: Int32

    init(to port: UInt16) throws { descriptor = try LoopbackSocket.connected(to: port, isBlocking: true) }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try Descriptor.write(Array(text.utf8), to: descriptor) }

    func canRead(within limit: Duration) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32(limit / .milliseconds(1))) != 0
    }

    func readToEnd() throws -> String {
        try LoopbackSocket.readToEnd(descriptor)
    }
}
