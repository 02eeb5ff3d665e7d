import Glibc

/// Requests to the unencrypted status port of an etcd member.
enum PlainHTTP {
    /// Returns the body of the answer to a GET; nil if there is none within the time limit.
    static func body(ofPort port: UInt16, path: String, within limit: Duration) -> String? {
        guard let connection = try? LoopbackSocket.connected(to: port, isBlocking: true) else { return nil }
        defer { close(connection) }
        var time = timeval()
        time.tv_sec = limit / .seconds(1) >= 1 ? Int(limit / .seconds(1)) : 1
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        let request = Array("GET \(path) HTTP/1.0\r\n\r\n".utf8)
        guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count,
            let answer = try? LoopbackSocket.readToEnd(connection), let head = answer.firstRange(of: "\r\n\r\n")
        else { return nil }
        return String(answer[head.upperBound...])
    }
}
