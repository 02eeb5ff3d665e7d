internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A request that is being received or answered.
///
/// libmicrohttpd calls for one request on one thread at a time, so state that only its calls use needs no lock.
final class Exchange: @unchecked Sendable {
    private struct ReplyState {
        var reply: HTTPReply?
        /// The response of a `later` reply, until it is sent.
        var response: HTTPResponse?
    }

    private let connection: OpaquePointer
    private var request: HTTPRequest
    private let bodyLimit: Int
    private var isTooLarge = false
    private let replyState = Mutex(ReplyState())

    init(_ connection: OpaquePointer, _ request: HTTPRequest, bodyLimit: Int) {
        (self.connection, self.request, self.bodyLimit) = (connection, request, bodyLimit)
    }

    /// Whether the client announces a body above the limit.
    var isAnnouncedTooLarge: Bool { (request.headers["content-length"].flatMap { Int($0) } ?? 0) > bodyLimit }

    /// Adds a part of the body. Discards bytes above the limit.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        if request.body.count + bytes.count > bodyLimit { isTooLarge = true }
        if !isTooLarge { request.body += bytes }
    }

    /// Takes the response of a `later` reply.
    func takeResponse() -> HTTPResponse? { replyState.withLock { $0.response.take() } }

    /// Returns and records the reply of a handler.
    func reply(by handler: (HTTPRequest) -> HTTPReply) -> HTTPReply {
        let reply = isTooLarge ? .response(.text(413, "the body is too large")) : handler(request)
        replyState.withLock { $0.reply = reply }
        return reply
    }

    /// Answers the request, as far as it can be answered now.
    ///
    /// - Parameter finished: Called when the connection is not, or no longer, suspended for the reply.
    func answer(_ reply: HTTPReply, isLast: Bool, finished: @escaping @Sendable () -> Void) -> MHD_Result {
        switch reply {
        case .response(let response):
            defer { finished() }
            return send(response, isLast: isLast)
        case .events(let stream):
            defer { finished() }
            return send(stream)
        case .later(let body):
            MHD_suspend_connection(connection)
            Task {
                let response = await body()
                replyState.withLock { $0.response = response }
                MHD_resume_connection(connection)
                finished()
            }
            return .YES
        }
    }

    func send(_ response: HTTPResponse, isLast: Bool) -> MHD_Result {
        let created = response.body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(
                body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let created else { return .NO }
        defer { MHD_destroy_response(created) }
        for (name, value) in response.headers { MHD_add_response_header(created, name, value) }
        if isLast { MHD_add_response_header(created, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(response.status), created)
    }

    private func send(_ stream: EventStream) -> MHD_Result {
        final class Reader: Sendable {
            let stream: EventStream
            // The connection outlives its response.
            nonisolated(unsafe) let connection: OpaquePointer
            init(_ stream: EventStream, _ connection: OpaquePointer) {
                (self.stream, self.connection) = (stream, connection)
            }
        }
        let reader = Unmanaged.passRetained(Reader(stream, connection)).toOpaque()
        let created = MHD_create_response_from_callback(
            .max, 32 * 1_024,
            { reader, _, target, count in
                let reader = Unmanaged<Reader>.fromOpaque(reader!).takeUnretainedValue()
                return reader.stream.read(
                    into: UnsafeMutableBufferPointer(start: target, count: count), for: reader.connection)
            }, reader, { Unmanaged<Reader>.fromOpaque($0!).release() })
        guard let created else {
            Unmanaged<Reader>.fromOpaque(reader).release()
            return .NO
        }
        defer { MHD_destroy_response(created) }
        MHD_add_response_header(created, "Content-Type", "text/event-stream")
        MHD_add_response_header(created, "Cache-Control", "no-store")
        return MHD_queue_response(connection, 200, created)
    }

    /// The stream of events, if the request is answered with one.
    var stream: EventStream? { if case .events(let stream) = replyState.withLock({ $0.reply }) { stream } else { nil } }
}
