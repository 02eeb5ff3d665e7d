import FileScripts
import Glibc
import SessionMirror

/// A session in a process that cannot always create threads or open files, controlled by lines on its input.
///
///     open FILE     alone FILE     memory          opens a session, one that does not watch, or one without a file
///     threads no    threads yes    files no        files yes
///     update PORT   commit PORT    flush           close    status    saving    exit
///
/// Prints `port NUMBER` in a callback for another port, and `done COMMAND` after commands without another answer.
final class ShortageProbe {
    private var session: Session<ReportProbe.Settings>?
    private var token: Subscription?
    private let initialFileLimit = ShortageProbe.limit(RLIMIT_NOFILE).rlim_cur

    /// Runs as nobody, because the system does not limit the threads of root.
    static func run() throws {
        if geteuid() == 0, setgid(65534) + setuid(65534) != 0 { fail("the process is still root") }
        let probe = ShortageProbe()
        say("ready")
        while let line = readLine() { probe.handle(line.split(separator: " ").map(String.init)) }
    }

    private func handle(_ words: [String]) {
        do {
            try perform(words)
        } catch let error as SessionError {
            say("error \(error.code) \(error)")
        } catch {
            say("error \(error)")
        }
    }

    private func perform(_ words: [String]) throws {
        let argument = words.count > 1 ? words[1] : ""
        switch words[0] {
        case "open": observe(try Session(.init(), at: argument))
        case "alone": observe(try Session(.init(), at: argument, options: Self.alone))
        case "memory": observe(Session(inMemory: .init()))
        case "threads": Self.set(__RLIMIT_NPROC, argument == "no" ? 1 : Self.limit(__RLIMIT_NPROC).rlim_max)
        case "files": Self.set(RLIMIT_NOFILE, argument == "no" ? 3 : initialFileLimit)
        case "update": try session?.update { $0.port = Int(argument)! }
        case "commit": try session?.commitBlocking { $0.port = Int(argument)! }
        case "flush": try session?.flushBlocking()
        case "close": try session?.closeBlocking()
        case "status": return say("status \(session!.mirror.status)")
        case "exit": exit(0)
        default: fail("unknown command \(words)")
        }
        say("done \(words.joined(separator: " "))")
    }

    private static var alone: SessionOptions {
        var options = SessionOptions()
        options.watching = .off
        return options
    }

    private func observe(_ session: Session<ReportProbe.Settings>) {
        self.session = session
        token = session.observe(\.port) { say("port \($0.new)") }
    }

    private static func limit(_ resource: __rlimit_resource) -> rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        return limit
    }

    private static func set(_ resource: __rlimit_resource, _ number: rlim_t) {
        var limit = limit(resource)
        limit.rlim_cur = number
        if setrlimit(__rlimit_resource_t(resource.rawValue), &limit) != 0 { fail("the limit cannot be set") }
    }
}
