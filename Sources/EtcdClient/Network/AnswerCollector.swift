internal import Locking

/// Collects a whole answer for a task that waits for it.
final class AnswerCollector: TransferReceiver {
    /// A transfer's end with the body that was received until then.
    struct Outcome: Sendable {
        let end: TransferEnd
        let body: [UInt8]
    }

    /// More than any answer to a settings file, and few enough bytes for a broken server to waste.
    static let sizeLimit = 256 << 20

    private struct State {
        var body: [UInt8] = []
        var answer: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let state = Lock(State())

    func receive(_ bytes: UnsafeRawBufferPointer, status: Int) -> Bool {
        state.withLock {
            guard $0.body.count + bytes.count <= Self.sizeLimit else { return false }
            $0.body.append(contentsOf: bytes)
            return true
        }
    }

    func finish(_ end: TransferEnd) {
        let (waiter, answer) = state.withLock { state in
            let answer = Outcome(end: end, body: state.body)
            state.answer = answer
            return (state.waiter, answer)
        }
        waiter?.resume(returning: answer)
    }

    private func answer() async -> Outcome {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state in
                if state.answer == nil { state.waiter = continuation }
                return state.answer
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Makes a request. Cancelling the task ends it.
    static func answer(to request: TransferRequest) async -> Outcome {
        let collector = AnswerCollector()
        let transfer = Transfer(request, to: collector)
        return await withTaskCancellationHandler {
            NetworkThread.shared.start(transfer)
            return await collector.answer()
        } onCancel: {
            NetworkThread.shared.cancel(transfer)
        }
    }
}
