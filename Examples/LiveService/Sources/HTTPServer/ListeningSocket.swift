internal import CMicroHTTPD
internal import Glibc

/// A socket that accepts connections. Closes when it is released.
public struct ListeningSocket: ~Copyable, Sendable {
    /// The reason why a socket cannot be opened.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    let descriptor: Int32
    /// Whether another process has the socket, too, and keeps listening.
    let isShared: Bool

    /// Listens on an address, such as `127.0.0.1` or `::`, and a port; 0 is any free port.
    public init(_ host: String, _ port: Int) throws(Failure) { try self.init(host, port, sharesPort: false) }

    /// - Parameter sharesPort: Whether to share the port with another socket that shares it.
    init(_ host: String, _ port: Int, sharesPort: Bool) throws(Failure) {
        (descriptor, isShared) = (try Self.open(host, port, sharesPort), false)
    }

    private static func open(_ host: String, _ port: Int, _ sharesPort: Bool) throws(Failure) -> Int32 {
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
        // The port of a service that has just ended can be used again.
        set(SO_REUSEADDR, of: descriptor, to: true)
        set(SO_REUSEPORT, of: descriptor, to: sharesPort)
        guard descriptor >= 0, bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            listen(descriptor, SOMAXCONN) == 0
        else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw Failure(description: "\(name): \(reason)")
        }
        return descriptor
    }

    private static func set(_ option: Int32, of descriptor: Int32, to isOn: Bool) {
        var value: Int32 = isOn ? 1 : 0
        setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sets whether another socket of this user may have the port.
    func sharePort(_ isShared: Bool) { Self.set(SO_REUSEPORT, of: descriptor, to: isShared) }

    /// A socket that another process has opened, such as systemd. It must be listening.
    public init(inherited descriptor: Int32) {
        (self.descriptor, isShared) = (descriptor, true)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// The address and the port, also if the system chose the port: `127.0.0.1:8080`, `[::]:8080`.
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

    /// Accepts the waiting connections. Returns false if the process or the system has no resources for more.
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
                        return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error)
                    }
                }
            }
        }
    }

    /// Ignores the first packet of each new connection, unless another process accepts connections. Clients repeat it after a
    /// second.
    func ignoreNewConnections() { if !isShared { live_ignore_new_connections(descriptor) } }

    /// Refuses further connections, unless another process accepts them.
    func refuse() { if !isShared { live_shutdown(descriptor) } }
}
