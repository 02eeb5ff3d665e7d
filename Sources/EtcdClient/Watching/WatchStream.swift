internal import Locking

/// Splits the answer to a watch into lines, and keeps them from the network thread to the task that reads them.
final class WatchStream: TransferReceiver {
    enum Next: Sendable {
        case line([UInt8])
        /// The stream has ended, with an incomplete line or the body of an error.
        case ended(TransferEnd, rest: [UInt8])
    }

    fileprivate struct State {
        /// Bytes without a line end.
        var rest: [UInt8] = []
        var lines = LineQueue()
        var end: TransferEnd?
        var waiter: CheckedContinuation<Next, Never>?
    }

    /// What a waiting task gets, outside of the lock; empty if none waits or there is nothing.
    fileprivate struct Delivery: Sendable {
        let waiter: CheckedContinuation<Next, Never>?
        let next: Next?

        func perform() {
            if let waiter, let next { waiter.resume(returning: next) }
        }
    }

    private let state = Lock(State())
    private let transfer = Lock<Transfer?>(nil)

    /// Starts the transfer.
    init(_ request: TransferRequest) {
        let transfer = Transfer(request, to: self)
        self.transfer.withLock { $0 = transfer }
        NetworkThread.shared.start(transfer)
    }

    /// Ends the transfer, unless it has ended.
    func cancel() {
        let transfer = transfer.withLock { $0 }
        if let transfer { NetworkThread.shared.cancel(transfer) }
    }

    /// Returns the next line. Cancelling the task ends the stream.
    func next() async -> Next {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let next = state.withLock { state -> Next? in
                    let next = state.next()
                    if next == nil { state.waiter = continuation }
                    return next
                }
                if let next { continuation.resume(returning: next) }
            }
        } onCancel: {
            cancel()
        }
    }
}

extension WatchStream {
    func receive(_ bytes: UnsafeRawBufferPointer, status: Int) -> Bool {
        let delivery = state.withLock { state -> WatchStream.Delivery? in
            guard state.rest.count + bytes.count <= AnswerCollector.sizeLimit else { return nil }
            if status == 200 { state.append(bytes) } else { state.rest.append(contentsOf: bytes) }
            return state.delivery()
        }
        delivery?.perform()
        return delivery != nil
    }

    func finish(_ end: TransferEnd) {
        let delivery = state.withLock { state in
            state.end = end
            return state.delivery()
        }
        // The transfer has this receiver, which would keep both alive.
        transfer.withLock { $0 = nil }
        delivery.perform()
    }
}

extension WatchStream.State {
    fileprivate mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest.append(contentsOf: bytes[start..<end])
            if !rest.isEmpty { lines.append(rest) }
            rest = []
            start = end + 1
        }
        rest.append(contentsOf: bytes[start...])
    }

    fileprivate mutating func delivery() -> WatchStream.Delivery {
        guard let waiter, let next = next() else { return WatchStream.Delivery(waiter: nil, next: nil) }
        self.waiter = nil
        return WatchStream.Delivery(waiter: waiter, next: next)
    }

    fileprivate mutating func next() -> WatchStream.Next? {
        if let line = lines.popFirst() { return .line(line) }
        return end.map { .ended($0, rest: rest) }
    }
}

/// Lines in their order. Removing the first one takes constant time on average.
private struct LineQueue {
    private var lines: [[UInt8]] = []
    private var start = 0

    mutating func append(_ line: [UInt8]) { lines.append(line) }

    mutating func popFirst() -> [UInt8]? {
        guard start < lines.count else { return nil }
        let line = lines[start]
        lines[start] = []
        start += 1
        if start == lines.count { (lines, start) = ([], 0) }
        return line
    }
}
