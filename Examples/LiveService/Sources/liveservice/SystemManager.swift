import Glibc
import SessionMirror

/// Notifies the system manager, such as systemd, that has started the service. Does nothing without one.
///
/// systemd documents the protocol for programs that do not link its library: datagrams with lines of assignments to the
/// socket that `NOTIFY_SOCKET` names.
struct SystemManager: Sendable {
    private let path: String?

    /// - Parameter path: The path of the socket; by default from the environment, which the program does not change.
    init(path: String? = getenv("NOTIFY_SOCKET").map { String(cString: $0) }) { self.path = path }

    /// Reports that the service answers requests, also after reloading.
    func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }

    func status(_ status: String) { send("STATUS=\(status)") }

    /// Reports that the service reloads its settings; call ``ready(_:)`` afterwards.
    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)")
    }

    func stopping() { send("STOPPING=1\nSTATUS=stopping") }

    private func send(_ text: String) {
        guard let path, path.hasPrefix("/") || path.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract name begins with a zero byte, which the variable has as "@".
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        let size = MemoryLayout.offset(of: \sockaddr_un.sun_path)! + name.count
        guard size <= MemoryLayout<sockaddr_un>.size else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, socklen_t(size))
            }
        }
    }
}
