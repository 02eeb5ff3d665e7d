import FileScripts
import FileWatching
import Glibc

/// Executes commands from its input and prints the signals of its watches. For tests that would damage their own
/// process.
///
/// | line | answer |
/// | --- | --- |
/// | `watch PATH` | `watching PATH`, or `refused PATH: CODE DESCRIPTION` |
/// | | later `changed PATH`, `live PATH`, `polling PATH: CODE DESCRIPTION` |
/// | `poll PATH` | the same, with polling |
/// | `cancel PATH` | |
/// | `statistics` | the statistics |
/// | `open COUNT` | opens so many descriptors |
/// | `close one` | closes one of those |
/// | `close all` | closes all descriptors except the standard ones |
/// | `use library` | starts libinotifytools outside the module |
/// | `allow COUNT` | limits the number of descriptors |
/// | `threads no`, `threads yes` | forbids or allows new threads |
/// | `close inotify` | closes the inotify descriptors |
/// | `run COMMAND` | runs a shell command |
/// | `leave root` | changes the user to nobody |
/// | `fork` | prints what a forked child observes |
///
/// After the command with the number N it prints `done N`.
final class CommandProbe {
    private var watches: [String: FileWatch] = [:]
    private var commands = 0

    func run() {
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            perform(words[0], words.count > 1 ? words[1] : "")
        }
    }

    private func perform(_ command: String, _ argument: String) {
        commands += 1
        switch command {
        case "watch": watch(argument)
        case "poll": watch(argument, method: .polling)
        case "cancel": watches[argument] = nil
        case "statistics": say(statistics)
        case "open": for _ in 0..<(Int(argument) ?? 0) { _ = open("/dev/null", O_RDONLY | O_CLOEXEC) }
        case "allow": allow(rlim_t(argument) ?? 0)
        case "threads": allowThreads(argument == "yes")
        case "close" where argument == "one": closeOne()
        case "close" where argument == "all": for descriptor in Int32(3)..<64 { close(descriptor) }
        case "close": closeInotify()
        case "use": useLibrary()
        case "run": system(argument)
        case "leave": if setgid(65534) + setuid(65534) != 0 { fail("not root") }
        case "fork": forkChild()
        default: fail("unknown command: \(command)")
        }
        say("done \(commands)")
    }

    private func watch(_ path: String, method: FileWatchMethod = .automatic) {
        do {
            watches[path] = try FileWatch(path, method: method) { signal in
                switch signal {
                case .mayHaveChanged: say("changed \(path)")
                case .status(.live): say("live \(path)")
                case .status(.polling(let reason)): say("polling \(path): \(reason.code) \(reason)")
                }
            }
            say("watching \(path)")
        } catch {
            say("refused \(path): \(error.code) \(error)")
        }
    }

    private var statistics: String {
        let now = FileWatchingStatistics.current
        let fallbackReason = now.fallbackReason.map { ", because \($0)" } ?? ""
        return """
            files \(now.filesWatched) polled \(now.filesPolled) restarts \(now.restarts) \
            by \(now.backend?.rawValue ?? "nothing")\(fallbackReason)
            """
    }

    private func allow(_ count: rlim_t) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = count
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { fail("no such limit") }
    }

    private func allowThreads(_ isAllowed: Bool) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit)
        limit.rlim_cur = isAllowed ? limit.rlim_max : 1
        if setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) != 0 { fail("no such limit") }
    }

    private func closeOne() {
        for descriptor in Int32(3)..<1024 where close(descriptor) == 0 { return }
    }

    /// Starts libinotifytools as another library of the program would.
    private func useLibrary() {
        guard let library = dlopen("libinotifytools.so.0", RTLD_NOW),
            let symbol = dlsym(library, "inotifytools_initialize")
        else { fail("there is no libinotifytools") }
        let initialize = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
        if initialize() == 0 { fail("libinotifytools does not start") }
    }

    private func closeInotify() {
        var target = [CChar](repeating: 0, count: 64)
        for descriptor in Int32(3)..<1024 {
            let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
            let text = target.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
            if String(decoding: text, as: UTF8.self) == "anon_inode:inotify" { close(descriptor) }
        }
    }
}

extension CommandProbe {
    private func forkChild() {
        // In the child, locks of the Swift runtime may be held forever by threads of the parent. So everything that
        // the child uses is used once before the fork.
        report("parent")
        watch("")
        let child = forkAtRest()
        if child == 0 {
            runAsChild()
            _exit(0)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        say("child ended \(status)")
    }

    private func runAsChild() {
        report("child")
        watch("/tmp/child")
        for watch in watches.values { watch.cancel() }
        watches = [:]
        say("child: \(statistics)")
    }

    private func report(_ who: String) {
        for (path, watch) in watches {
            say("\(who): \(path) \(watch.status == .live ? "live" : "not live") signals \(watch.metrics.signals)")
        }
        say("\(who): \(statistics)")
    }
}
