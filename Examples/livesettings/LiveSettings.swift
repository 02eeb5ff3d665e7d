import Dispatch
import Glibc
import SessionMirror

/// An example service that applies changes of its settings file while it runs.
///
///     livesettings settings.json
///
/// It opens no port, and only prints what it would do. SIGUSR1 simulates a served client, which it counts in the file;
/// SIGTERM terminates it.
@main
struct LiveSettings {
    static func main() async {
        guard CommandLine.arguments.count == 2 else { fail("usage: livesettings FILE", code: 2) }
        do {
            let session = try Session(Settings(), at: CommandLine.arguments[1]) { try $0.check() }
            await serve(session)
        } catch {
            fail("livesettings: \(error)", code: 1)
        }
    }

    @MainActor
    private static func serve(_ session: Session<Settings>) async {
        let signals = [
            await handle(SIGUSR1) { count(session) },
            await handle(SIGTERM) { terminate(session) },
            await handle(SIGINT) { terminate(session) },
        ]
        // One value each. All run on the main actor, so that their lines are not interleaved.
        let subscriptions = [
            session.observe(\.port, on: .mainActor) { say("port: \($0.old) → \($0.new), listening on the new port") },
            session.observe(\.greeting, on: .mainActor) { say("greeting: \"\($0.old)\" → \"\($0.new)\"") },
            session.observe(\.limits, on: .mainActor) { say("limits: \($0.old) → \($0.new)") },
        ]
        defer {
            for subscription in subscriptions { subscription.cancel() }
            for signal in signals { signal.cancel() }
        }
        // After subscribing, so that no change is missed.
        say("serving: \(session.snapshot.value.summary)")

        for await report in session.mirror.reports {
            switch report {
            case .problem(let problem) where problem.severity == .warning || problem.code == .unsaved:
                say(problem.fullDescription)
            case .problem(let problem):
                say("\(problem.fullDescription)\nstill serving: \(session.snapshot.value.summary)")
            case .recovered(let problem) where problem.code == .unsaved: say("pending changes saved")
            case .recovered(let problem) where problem.severity == .error: say("settings valid again")
            case .recovered: break
            case .status(let status): printStatus(status)
            }
        }
    }

    /// The new value is visible at once, and saved soon without changing the rest of the file.
    private static func count(_ session: Session<Settings>) {
        do {
            try session.update { $0.served += 1 }
            say("served: \(session.served)")
        } catch {
            say("not counted: \(error)")
        }
    }

    /// Saves pending changes before the program exits, as the default action of a signal would not.
    private static func terminate(_ session: Session<Settings>) {
        do {
            try session.closeBlocking()
            say("saved")
            exit(0)
        } catch {
            fail("livesettings: \(error)", code: 1)
        }
    }

    /// Returns when the handler is installed. An earlier signal has its default action instead of being lost.
    private static func handle(
        _ number: Int32, _ body: @escaping @MainActor () -> Void
    ) async -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated(body) }
        await withCheckedContinuation { registered in
            source.setRegistrationHandler { registered.resume() }
            source.resume()
        }
        return source
    }

    private static func printStatus(_ status: MirrorStatus) {
        if status.content == .missing { say("settings file missing; keeping the current settings") }
        if case .polling(let reason) = status.watching { say("polling for changes: \(reason)") }
    }

    /// Prints a line and flushes it.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        _ = write(STDERR_FILENO, message + "\n", message.utf8.count + 1)
        exit(code)
    }
}
