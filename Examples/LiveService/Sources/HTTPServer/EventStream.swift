internal import CMicroHTTPD
internal import Synchronization

/// Server-sent events to one client.
public final class EventStream: Sendable {
    /// libmicrohttpd allows suspended connections to be resumed on any thread.
    private struct Connection: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private struct State {
        var buffer: [UInt8] = []
        var isEnded = false
        /// The connection, while it waits for an event.
        var suspended: Connection?
        var onEnd: (@Sendable () -> Void)?
    }

    /// `MHD_CONTENT_READER_END_OF_STREAM`, which Swift cannot import.
    private static let endOfStream = -1

    /// The bytes that are buffered for a client that does not read. A client that reconnects gets the missed events.
    private static let bufferLimit = 4 << 20

    private let state = Mutex(State())

    public init() {}

    /// Calls `body` once the client has gone, or the stream has ended.
    public func onEnd(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.isEnded { return true }
            state.onEnd = body
            return false
        }
        if isOver { body() }
    }

    /// Sends an event. Ends the stream of a client that does not read.
    public func send(_ name: String, id: String? = nil, data: some Sequence<UInt8>) {
        var bytes = Array("event: \(name)\n".utf8)
        if let id { bytes += Array("id: \(id)\n".utf8) }
        bytes += Array("data: ".utf8)
        for byte in data {
            bytes.append(byte)
            // Each line of the data has its own field.
            if byte == UInt8(ascii: "\n") { bytes += Array("data: ".utf8) }
        }
        append(bytes + Array("\n\n".utf8))
    }

    /// Sends a comment, so that a lost client is noticed.
    public func ping() { append(Array(": \n\n".utf8)) }

    private func append(_ bytes: [UInt8]) {
        state.withLock { state in
            if state.isEnded { return }
            // The end is announced when the connection has ended, because the caller may hold locks.
            if !state.buffer.isEmpty, state.buffer.count + bytes.count > Self.bufferLimit {
                state.isEnded = true
            } else {
                state.buffer += bytes
            }
            Self.resume(&state)
        }
    }

    /// Ends the stream after the events that were sent.
    public func end() { finish { Self.resume(&$0) } }

    /// Called when libmicrohttpd has ended the response, and the connection may be gone.
    func connectionEnded() { finish { $0.suspended = nil } }

    private func finish(_ change: (inout sending State) -> Void) {
        let onEnd = state.withLock { state -> (@Sendable () -> Void)? in
            state.isEnded = true
            change(&state)
            return state.onEnd.take()
        }
        onEnd?()
    }

    private static func resume(_ state: inout State) {
        if let connection = state.suspended.take() { MHD_resume_connection(connection.pointer) }
    }

    /// Copies bytes for the client, or suspends the connection until there are some; called by libmicrohttpd.
    func read(into target: UnsafeMutableBufferPointer<CChar>, for connection: OpaquePointer) -> Int {
        let connection = Connection(pointer: connection)
        let (bytes, isEnded) = state.withLock { state -> ([UInt8], Bool) in
            if state.buffer.isEmpty {
                // Suspend under the lock, so that no event comes in between.
                if !state.isEnded {
                    MHD_suspend_connection(connection.pointer)
                    state.suspended = connection
                }
                return ([], state.isEnded)
            }
            let bytes = Array(state.buffer.prefix(target.count))
            state.buffer.removeFirst(bytes.count)
            return (bytes, false)
        }
        if isEnded { return Self.endOfStream }
        UnsafeMutableRawBufferPointer(target).copyBytes(from: bytes)
        return bytes.count
    }
}
