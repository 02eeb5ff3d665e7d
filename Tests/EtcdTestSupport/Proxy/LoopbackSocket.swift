import Glibc
import Locking
import TestSupport

/// TCP sockets of 127.0.0.1 for tests. All are close-on-exec.
package enum LoopbackSocket {
    /// Returns a port that nothing listens on and that this process has not returned before.
    ///
    /// Another process can take it meanwhile: retry with another one then. Chosen below the ports that the kernel gives to
    /// outgoing connections, so that a server can be stopped and started again on its port.
    package static func freePort() throws -> UInt16 {
        for _ in 1...1_000 {
            let port = UInt16.random(in: 20_000..<32_768)
            guard usedPorts.withLock({ $0.insert(port).inserted }) else { continue }
            if let descriptor = try? listening(on: port) {
                close(descriptor)
                return port
            }
        }
        throw TestSupportError("no port of 127.0.0.1 from 20000 to 32767 is free")
    }

    private static let usedPorts = Lock<Set<UInt16>>([])

    /// Returns a nonblocking socket that listens on the port.
    static func listening(on port: UInt16) throws -> Int32 {
        let descriptor = try open(SOCK_NONBLOCK)
        var reuses: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        guard withAddress(port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            defer { close(descriptor) }
            throw failure("listen on 127.0.0.1:\(port)")
        }
        return descriptor
    }

    /// Returns a socket connected to the port. A nonblocking one may still be connecting.
    static func connected(to port: UInt16, isBlocking: Bool) throws -> Int32 {
        let descriptor = try open(isBlocking ? nil : SOCK_NONBLOCK)
        guard withAddress(port, { connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS else {
            defer { close(descriptor) }
            throw failure("connect to 127.0.0.1:\(port)")
        }
        return descriptor
    }

    /// Returns the next waiting connection, nonblocking, with the port of its client; nil if there is none.
    static func accepted(from listener: Int32) -> (descriptor: Int32, port: UInt16)? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener, $0, &size) }
        }
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setBlocking(descriptor, false)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    static func setBlocking(_ descriptor: Int32, _ isBlocking: Bool) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, isBlocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    /// Closes a connection so that the other side reads ECONNRESET.
    static func reset(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    /// Reads from a blocking socket until the other side has sent everything.
    static func readToEnd(_ connection: Int32) throws -> String {
        var (bytes, part): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1 << 16))
        while true {
            let count = read(connection, &part, part.count)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            if count < 0, errno != EINTR { throw failure("read") }
            bytes.append(contentsOf: part.prefix(max(count, 0)))
        }
    }

    private static func open(_ option: __socket_type?) throws -> Int32 {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (option?.rawValue ?? 0)
        let descriptor = socket(AF_INET, Int32(kind), 0)
        guard descriptor >= 0 else { throw failure("socket") }
        return descriptor
    }

    private static func withAddress<Result>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result)
        -> Result
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    private static func failure(_ what: String) -> TestSupportError {
        TestSupportError("\(what): \(String(cString: strerror(errno)))")
    }
}
