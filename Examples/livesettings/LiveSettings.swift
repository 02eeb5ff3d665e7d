import Dispatch
import Glibc
import SessionMirror

/// A tiny service, to show how a program lives with its settings: edit the file while it runs.
///
///     livesettings settings.json
///
/// It opens no port; it says what it would do. SIGUSR1 stands for a client that was served, which it counts in the file;
/// SIGTERM ends it.
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
            await handle(SIGTERM) { end(session) },
            await handle(SIGINT) { end(session) },
        ]
        // One part each. All of them run on the main actor, so that their lines come one after the other.
        let subscriptions = [
            session.observe(\.port, on: .mainActor) { say("port: \($0.old) → \($0.new), listening there now") },
            session.observe(\.greeting, on: .mainActor) { say("greeting: \"\($0.old)\" → \"\($0.new)\"") },
            session.observe(\.limits, on: .mainActor) { say("limits: \($0.old) → \($0.new)") },
        ]
        defer {
            for subscription in subscriptions { subscription.cancel() }
            for signal in signals { signal.cancel() }
        }
        // After the subscribing, so that nothing is missed in between.
        say("serving: \(session.snapshot.value.summary)")

        for await report in session.mirror.reports {
            switch report {
            case .problem(let problem) where problem.values != nil || problem.code == .unsaved: say("\(problem)")
            case .problem(let problem): say("\(problem)\nstill serving: \(session.snapshot.value.summary)")
            case .recovered(let problem) where problem.code == .unsaved: say("saved after all")
            case .recovered: say("the mistake is gone")
            case .status(let status): tell(status)
            }
        }
    }

    /// Memory has it at once, the file in a moment, with everything else in it left as it is.
    private static func count(_ session: Session<Settings>) {
        do {
            try session.update { $0.served += 1 }
            say("served: \(session.served)")
        } catch {
            say("not counted: \(error)")
        }
    }

    /// A signal ends a program without its having a say: what is pending must be saved before.
    private static func end(_ session: Session<Settings>) {
        do {
            try session.close()
            say("all is saved")
            exit(0)
        } catch {
            fail("livesettings: \(error)", code: 1)
        }
    }

    /// Returns when the signal is listened to: what comes before that ends the program as if nobody had asked for it,
    /// instead of being lost.
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

    private static func tell(_ status: MirrorStatus) {
        if status.content == .missing { say("there is no settings file; serving on") }
        if case .polling(let reason) = status.watching { say("changes arrive late: \(reason)") }
    }

    /// Prints a line at once, also into a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        _ = write(STDERR_FILENO, message + "\n", message.utf8.count + 1)
        exit(code)
    }
}
