import FileWatching
import Glibc
import TestSupport

/// A process that watches the file of a scenario with one backend, and what it has reported.
final class WatchingProcess {
    private let process: RunningProgram
    private let backend: FileWatchBackend
    private let barrier: String
    /// What the process found at the last change; nil before the first one.
    private(set) var found: String?
    private(set) var changeCount = 0
    /// The last timestamp of the barrier file that the process has reported.
    private var lastBarrier = 0
    /// The answers to commands.
    private var answers: [String] = []
    /// /proc/self/mountinfo, whose condition says that something was mounted or unmounted; -1 if the process has mounts of
    /// its own.
    private var mounts: Int32 = -1

    /// The longest time that anything may take on a busy machine.
    private static let limit = Duration.seconds(30)

    /// Starts the process, which does not watch yet. It shares the mounts of this machine or has its own.
    init(of scenario: Scenario, by backend: FileWatchBackend, at environment: ScenarioEnvironment) throws {
        self.backend = backend
        barrier = environment.home.path(of: "barrier")
        try environment.home.write("barrier", "")
        let path = scenario.isRelative ? scenario.file : environment.folder.path(of: scenario.file)
        let probe = Program.built("WatchProbe")
        let arguments = ["conformance", backend.rawValue, barrier, path]
        guard scenario.needs(.namespace) else {
            mounts = try Descriptor.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
            process = try probe.start(arguments, in: environment.folder, input: .lines)
            return
        }
        // Other processes may only enter its mount namespace once it exists.
        let words = ["--user", "--map-root-user", "--mount", "sh", "-c", #"echo apart; exec "$0" "$@""#, probe.path]
        process = try Programs.unshare.program.start(words + arguments, in: environment.folder, input: .lines)
        environment.namespace = process.identifier
        try wait("the mount namespace") { answers.popLast() == "apart" }
    }

    deinit { if mounts >= 0 { close(mounts) } }

    func watch() throws {
        try process.say("watch")
        try wait("the watch") { answers.popLast() == "watching" }
    }

    /// Ends the process, which must not have written any error message.
    func end() throws {
        let result = try process.end()
        if result.code != 0 || result.messages != "" {
            throw TestSupportError("the watching process ended with \(result.code): \(result.messages)")
        }
    }

    /// Waits until the reports of the process satisfy the condition.
    func wait(_ what: String, until condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + Self.limit
        while try !condition() {
            guard let line = try? process.line(within: deadline - .now) else {
                let messages = try process.readMessages()
                throw TestSupportError(
                    "\(what): not reported; after \(changeCount) changes: \(found ?? "nothing") \(messages)")
            }
            take(line)
        }
    }

    private func take(_ line: String) {
        if line.hasPrefix("barrier ") {
            // Before the first barrier the timestamp is the current time.
            let time = Int(line.dropFirst("barrier ".count)) ?? 0
            if time < 1_000_000 { lastBarrier = time }
        } else if line.hasPrefix("found ") {
            changeCount += 1
            found = String(line.dropFirst("found ".count)).replacing(#"\n"#, with: "\n")
        } else if line != "status changed" {
            answers.append(line)
        }
    }
}

extension WatchingProcess {
    /// Sends a command and returns all lines of the answer.
    private func ask(_ command: String) throws -> [String] {
        answers = []
        try process.say(command)
        try wait("the answer to \(command)") { answers.last.map { $0 == "done" || $0.hasPrefix("status ") } ?? false }
        return answers
    }

    /// Changes the working directory of the process.
    func move(to folder: String) throws { _ = try ask("chdir \(folder)") }

    /// Returns the backend and the status: `inotifyTools live`.
    func status() throws -> String { String(try ask("status")[0].dropFirst("status ".count)) }

    /// Begins to record the inotify events.
    func record() throws { _ = try ask("record") }

    /// Returns the recorded events of everything in the directory.
    func events(in folder: TemporaryFolder) throws -> [InotifyLine] {
        try ask("events").dropLast().compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 3, words[2].hasPrefix(folder.path + "/") else { return nil }
            guard let source = InotifyLine.Source(rawValue: words[1]) else { return nil }
            return InotifyLine(source, String(words[2].dropFirst(folder.path.count + 1)), Array(words[3...]))
        }
    }

    /// Stops the process while `body` runs.
    func hold(while body: () throws -> Void) throws {
        process.send(SIGSTOP)
        defer { process.send(SIGCONT) }
        var status: Int32 = 0
        // All of its threads are stopped then.
        guard waitpid(process.identifier, &status, WUNTRACED) == process.identifier, status & 0xFF == 0x7F else {
            throw TestSupportError("the watching process does not stop")
        }
        try body()
    }

    /// Waits until the process has reported all that happened until now: a new timestamp of the barrier file is
    /// reported after that.
    private func catchUp() throws {
        try passBarrier()
        if backend == .polling {
            // By then each path has been checked, and a path that has just changed has been checked twice. A report of
            // the barrier file may stem from two rounds before.
            try passBarriers(for: .milliseconds(41))
            for _ in 0..<3 { try passBarrier() }
        } else {
            // Paths are rearmed in the first round that begins a quarter of a millisecond after a change. That round is
            // over when another one begins.
            try passBarriers(for: .milliseconds(1))
            try passBarrier()
        }
        try passBarrier()
    }

    private func passBarriers(for duration: Duration) throws {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end { try passBarrier() }
    }

    private func passBarrier() throws {
        let next = lastBarrier + 1
        var times = (timespec(tv_sec: next, tv_nsec: 0), timespec(tv_sec: next, tv_nsec: 0))
        let result = withUnsafeBytes(of: &times) {
            utimensat(AT_FDCWD, barrier, $0.baseAddress!.assumingMemoryBound(to: timespec.self), 0)
        }
        guard result == 0 else { throw TestSupportError("utimensat: \(errno)") }
        try wait("the barrier") { lastBarrier >= next }
    }

    /// Waits until nothing more is reported of what happened until now.
    func waitUntilIdle() throws {
        var known: Int
        repeat {
            known = changeCount
            try catchUp()
        } while changeCount != known
    }

    /// Whether other tests have mounted or unmounted something since this was last asked. Then a change may be reported once
    /// more, when the process has read the mounts.
    private var othersHaveMounted: Bool {
        var request = pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// Whether no change is reported while `body` runs.
    func isSilent(while body: () throws -> Void) throws -> Bool {
        // The mounts are read at most 50 ms later.
        if othersHaveMounted { try passBarriers(for: .milliseconds(60)) }
        try waitUntilIdle()
        let known = changeCount
        try body()
        try catchUp()
        return changeCount == known || othersHaveMounted
    }
}
