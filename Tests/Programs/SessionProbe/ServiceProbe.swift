import FileScripts
import Glibc
import LosslessJSON
import SessionMirror

/// A service that is controlled by lines on its input and prints the results. Its `savingDelay` is an hour.
///
///     set PATH JSON     commit PATH JSON     get PATH     flush     listen     close     release     fork     exit     return
///     stopping PROCESS PATH JSON     commits while the commands go on, and stops a process in the closure
enum ServiceProbe {
    static func run(_ path: String, isSilent: Bool = false) throws {
        var options = SessionOptions()
        if isSilent { options.unobservedProblems = .ignore }
        (options.savingDelay, options.savingLimit) = (.seconds(3_600), .seconds(3_600))
        var session: Session<JSON>? = try Session<JSON>([:], at: path, options: options)
        say("begun")
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch (words[0], session) {
            case ("release", _):
                session = nil
                say("released")
            case ("exit", _): exit(0)
            case ("return", _): return
            case (_, let session?): try handle(words, session)
            default: fail("the session is released")
            }
        }
        // Ends without `exit` handlers, like a service that is killed.
        _exit(0)
    }

    private static func handle(_ words: [String], _ session: Session<JSON>) throws {
        switch words[0] {
        case "set": answer { try session.set(JSONPointer(parsing: words[1]), to: JSON(parsing: words[2])) }
        case "commit":
            let (path, value) = (try JSONPointer(parsing: words[1]), try JSON(parsing: words[2]))
            answer { try session.commitBlocking { $0 = try $0.setting(path, to: value) } }
        case "stopping":
            let (process, path) = (Int32(words[1])!, try JSONPointer(parsing: words[2]))
            try commit(JSON(parsing: words[3]), at: path, stopping: process, session)
        case "get": say("\(try session[at: JSONPointer(parsing: words[1])] ?? .null)")
        case "saving": say("\(session.mirror.status.saving.name)")
        case "flush": answer(session.flushBlocking)
        case "close": answer(session.closeBlocking)
        case "listen":
            let problems = session.mirror.problems
            // Before the task, which may print at once.
            say("listening")
            Task { for await problem in problems { say("told \(problem.description)") } }
        case "fork": try forkChild(session)
        default: fail("unknown command \(words[0])")
        }
    }

    private static func commit(
        _ value: JSON, at path: JSONPointer, stopping process: Int32, _ session: Session<JSON>
    ) {
        Task {
            do {
                try await session.commit {
                    kill(process, SIGSTOP)
                    $0 = try $0.setting(path, to: value)
                    say("stopped")
                }
                say("committed")
            } catch {
                say("error \(error)")
            }
        }
    }

    private static func answer(_ body: () throws -> Void) {
        do {
            try body()
            say("done")
        } catch let problem as SessionProblem {
            say("problem \(problem.code)")
        } catch let error as SessionError {
            say("error \(error.code)" + (error.code == .timedOut ? ": \(error)" : ""))
        } catch {
            say("error \(error)")
        }
    }

    /// Forks a child that attempts everything that must fail there, and exits normally.
    private static func forkChild(_ session: Session<JSON>) throws {
        let child = forkAtRest()
        if child != 0 {
            var status: Int32 = 0
            waitpid(child, &status, 0)
            return say("child \(status)")
        }
        answer { try session.set("/child", to: true) }
        answer { try session.commitBlocking { $0["child"] = true } }
        answer(session.flushBlocking)
        answer(session.closeBlocking)
        say("reads \(session["a"] ?? .null), \(session.mirror.status.watching)")
        exit(0)
    }
}

extension MirrorStatus.Saving {
    fileprivate var name: String {
        switch self {
        case .clean: "clean"
        case .pending: "pending"
        case .blocked: "blocked"
        case .failing: "failing"
        }
    }
}
