import FileScripts
import FileWatching
import Glibc

/// Watches files as its input says, and tells what it is told: for what a test cannot do to its own process.
///
/// | line | answer |
/// | --- | --- |
/// | `watch PATH` | `watching PATH`, or `refused PATH: CODE DESCRIPTION` |
/// | | later `look PATH`, `live PATH`, `polling PATH: CODE DESCRIPTION` |
/// | `cancel PATH` | |
/// | `statistics` | numbers |
/// | `open COUNT` | so many more descriptors |
/// | `close one` | one of those less |
/// | `close all` | somebody closes all descriptors, whosever they are |
/// | `use library` | starts libinotifytools for itself |
/// | `allow COUNT` | the process may have so many descriptors |
/// | `close inotify` | somebody closes a descriptor that is not theirs |
/// | `run COMMAND` | in a shell of the process |
/// | `leave root` | the process belongs to nobody |
/// | `fork` | what a child sees |
///
/// When the command with the number N is done it says `done N`.
final class WatchProbe {
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
        case "cancel": watches[argument] = nil
        case "statistics": say(statistics)
        case "open": for _ in 0..<(Int(argument) ?? 0) { _ = open("/dev/null", O_RDONLY | O_CLOEXEC) }
        case "allow": allow(rlim_t(argument) ?? 0)
        case "close" where argument == "one": closeOne()
        case "close" where argument == "all": for descriptor in Int32(3)..<64 { close(descriptor) }
        case "close": closeInotify()
        case "use": useLibrary()
        case "run": system(argument)
        case "leave": if setgid(65534) + setuid(65534) != 0 { fail("not root") }
        case "fork": forkChild()
        default: fail("what is \(command)?")
        }
        say("done \(commands)")
    }

    private func watch(_ path: String) {
        do {
            watches[path] = try FileWatch(path) { signal in
                switch signal {
                case .lookAgain: say("look \(path)")
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
        let now = FileWatching.statistics
        let detour = now.detour.map { ", because \($0)" } ?? ""
        return """
            files \(now.filesWatched) polled \(now.filesPolled) restarts \(now.restarts) \
            by \(now.backend?.rawValue ?? "nothing")\(detour)
            """
    }

    private func allow(_ count: rlim_t) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = count
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { fail("no such limit") }
    }

    private func closeOne() {
        for descriptor in Int32(3)..<1024 where close(descriptor) == 0 { return }
    }

    /// As another library of the program would: without asking anybody.
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

extension WatchProbe {
    private func forkChild() {
        // Swift's runtime has locks that a thread of the parent may hold for ever in the child: what the child is about
        // to need for the first time is had before.
        report("parent")
        watch("")
        let child = forkAtRest()
        if child == 0 {
            liveAsChild()
            _exit(0)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        say("child ended \(status)")
    }

    private func liveAsChild() {
        report("child")
        watch("/tmp/child")
        for watch in watches.values { watch.cancel() }
        watches = [:]
        say("child: \(statistics)")
    }

    private func report(_ who: String) {
        for (path, watch) in watches {
            say("\(who): \(path) \(watch.status == .live ? "live" : "not live") looks \(watch.metrics.signals)")
        }
        say("\(who): \(statistics)")
    }
}
