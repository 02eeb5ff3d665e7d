internal import CMicroHTTPD
internal import Glibc

/// A socket that accepts connections. Closes when it is released.
public struct ListeningSocket: ~Copyable, Sendable {
    /// Why a socket cannot be had.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    let descriptor: Int32
    /// Whether another process has the socket, too, and goes on listening.
    let isShared: Bool

    /// Listens on an address, such as `127.0.0.1` or `::`, and a port; 0 is any free port.
    public init(_ host: String, _ port: Int) throws(Failure) {
        (descriptor, isShared) = (try Self.open(host, port), false)
    }

    private static func open(_ host: String, _ port: Int) throws(Failure) -> Int32 {
        let name = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &found)
        guard code == 0, let address = found else {
            throw Failure(description: "\(name): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(address) }
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.pointee.ai_family, flags, 0)
        var isOn: Int32 = 1
        // The port of a service that has just ended can be used again.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard descriptor >= 0, bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            listen(descriptor, SOMAXCONN) == 0
        else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw Failure(description: "\(name): \(reason)")
        }
        return descriptor
    }

    /// A socket that another process has opened, such as systemd. It must be listening.
    public init(inherited descriptor: Int32) {
        (self.descriptor, isShared) = (descriptor, true)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// The address and the port, also of a socket that was given any: `127.0.0.1:8080`, `[::]:8080`.
    public var address: String {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
        let isKnown = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size) == 0
                    && getnameinfo(
                        address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
                        NI_NUMERICHOST | NI_NUMERICSERV) == 0
            }
        }
        guard isKnown else { return "unknown" }
        let (name, number) = (Self.text(host), Self.text(port))
        return name.contains(":") ? "[\(name)]:\(number)" : "\(name):\(number)"
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Accepts the connections that wait. Returns false if the process has too many descriptors.
    func accept(_ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void) -> Bool {
        var address = sockaddr_storage()
        return withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                while true {
                    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
                    let connection = live_accept(descriptor, address, &size)
                    let error = errno
                    if connection >= 0 {
                        body(connection, address, size)
                    } else if error != EINTR && error != ECONNABORTED {
                        return error != EMFILE && error != ENFILE
                    }
                }
            }
        }
    }

    /// Refuses further connections, unless another process accepts them.
    func refuse() { if !isShared { live_shutdown(descriptor) } }
}
