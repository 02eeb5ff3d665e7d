import FleetSession
import Glibc
import LosslessJSON
import VisibleText

/// The task `bridge`: keeps a file in sync with a key of etcd until a signal ends it.
struct Bridge {
    /// Why it stops.
    enum StopReason: Sendable {
        case signal(Int32)
        /// The reader of the events has gone, or they cannot be written.
        case outputClosed
    }

    /// The longest time that the end takes: a request may be under way.
    private static let endingLimit = Duration.seconds(5)

    private let fleet: FleetSession<JSON>
    private let reports: Subscription
    private let stops: AsyncStream<StopReason>
    private let continuation: AsyncStream<StopReason>.Continuation

    init(_ arguments: TaskArguments) throws(Failure) {
        let (stops, continuation) = AsyncStream<StopReason>.makeStream()
        let (file, key) = (try arguments.required("file"), try arguments.required("key"))
        var options = SessionOptions()
        options.conflicts = arguments.conflicts
        options.secrets = try arguments.secrets
        let fleetOptions = try arguments.fleet
        do {
            let session = try Session<JSON>([:], at: file, options: options)
            let log = BridgeLog(file: file, key: key, isJSON: arguments.has("json"))
            reports = session.mirror.observe { report in
                if !log.write(report) { continuation.yield(.outputClosed) }
            }
            fleet = try FleetSession(session, key: key, etcd: arguments.etcd, options: fleetOptions)
        } catch let error as EtcdError {
            throw Failure(error)
        } catch let error as SessionError {
            throw Failure(.systemError, error.message)
        } catch {
            throw Failure(.systemError, "\(error)")
        }
        (self.stops, self.continuation) = (stops, continuation)
    }

    /// Returns after the synchronization has ended.
    func run(until signals: TerminationSignals) async -> StopReason {
        signals.receive { [continuation] in continuation.yield(.signal($0)) }
        var reason = StopReason.outputClosed
        for await next in stops {
            reason = next
            break
        }
        reports.cancel()
        await close(before: reason, signals)
        return reason
    }

    private func close(before reason: StopReason, _ signals: TerminationSignals) async {
        let limit = Task.detached {
            try await Task.sleep(for: Self.endingLimit)
            if case .signal(let number) = reason { signals.endProgram(by: number) }
            exit(SessionctlFleet.ExitCode.systemError.rawValue)
        }
        await fleet.close()
        do {
            try await fleet.session.close()
        } catch {
            Output.messages.writeLine("\(SessionctlFleet.name): \(error)")
        }
        limit.cancel()
    }
}
