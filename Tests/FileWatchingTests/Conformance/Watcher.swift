import FileWatching
import Glibc
import TestSupport

/// A process that watches the file of a scenario in one way, and what it has told.
final class Watcher {
    private let process: RunningProgram
    private let backend: FileWatchBackend
    private let barrier: String
    /// What it found when it looked last; nil if it was never told to look.
    private(set) var found: String?
    private(set) var looks = 0
    /// The last time of the other file that it has seen.
    private var lastBarrier = 0
    /// Its own answers, beside what it is told.
    private var answers: [String] = []

    /// How long something may take on a machine with much else to do.
    private static let limit = Duration.seconds(30)

    /// Begins the process, which watches nothing yet. It has the mounts of this machine, or its own.
    init(of scenario: Scenario, by backend: FileWatchBackend, at place: ScenarioPlace) throws {
        self.backend = backend
        barrier = place.home.path(of: "barrier")
        try place.home.write("barrier", "")
        let path = scenario.isRelative ? scenario.file : place.folder.path(of: scenario.file)
        let probe = Program.built("SessionProbe")
        let arguments = ["conform", backend.rawValue, barrier, path]
        guard scenario.needs(.namespace) else {
            process = try probe.start(arguments, in: place.folder, input: .lines)
            return
        }
        // Not before it has its mounts may others share them.
        let words = ["--user", "--map-root-user", "--mount", "sh", "-c", #"echo apart; exec "$0" "$@""#, probe.path]
        process = try Programs.unshare.program.start(words + arguments, in: place.folder, input: .lines)
        place.namespace = process.identifier
        try wait("mounts of its own") { answers.popLast() == "apart" }
    }

    func watch() throws {
        try process.say("watch")
        try wait("the watch") { answers.popLast() == "watching" }
    }

    /// Ends the process, which must have had nothing to complain of.
    func end() throws {
        let result = try process.end()
        if result.code != 0 || result.messages != "" {
            throw SystemRefusal("the watching process ended with \(result.code): \(result.messages)")
        }
    }

    /// Waits until what it has told makes the condition true.
    func wait(_ what: String, until condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + Self.limit
        while try !condition() {
            guard let line = try? process.line(within: deadline - .now) else {
                let messages = try process.readMessages()
                throw SystemRefusal("\(what): not told; after \(looks) looks: \(found ?? "nothing") \(messages)")
            }
            take(line)
        }
    }

    private func take(_ line: String) {
        if line.hasPrefix("barrier ") {
            // Until its times are set, they are those of now.
            let time = Int(line.dropFirst("barrier ".count)) ?? 0
            if time < 1_000_000 { lastBarrier = time }
        } else if line.hasPrefix("look ") {
            looks += 1
            found = String(line.dropFirst("look ".count)).replacing(#"\n"#, with: "\n")
        } else if line != "news" {
            answers.append(line)
        }
    }
}

extension Watcher {
    /// Says a command and returns all lines of the answer.
    private func ask(_ command: String) throws -> [String] {
        answers = []
        try process.say(command)
        try wait("the answer to \(command)") { answers.last.map { $0 == "done" || $0.hasPrefix("status ") } ?? false }
        return answers
    }

    /// Works in another folder from now on.
    func move(to folder: String) throws { _ = try ask("chdir \(folder)") }

    /// What watches now, and how well: `inotifyTools live`.
    func status() throws -> String { String(try ask("status")[0].dropFirst("status ".count)) }

    /// Has inotify's events noted from now on.
    func note() throws { _ = try ask("note") }

    /// What inotify has told since then, of what is in the folder.
    func events(in folder: TemporaryFolder) throws -> [InotifyLine] {
        try ask("events").dropLast().compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 3, words[2].hasPrefix(folder.path + "/") else { return nil }
            guard let source = InotifyLine.Source(rawValue: words[1]) else { return nil }
            return InotifyLine(source, String(words[2].dropFirst(folder.path.count + 1)), Array(words[3...]))
        }
    }

    /// Has the process stand still while `body` runs.
    func hold(while body: () throws -> Void) throws {
        process.send(SIGSTOP)
        defer { process.send(SIGCONT) }
        var status: Int32 = 0
        // All its threads stand still then.
        guard waitpid(process.identifier, &status, WUNTRACED) == process.identifier, status & 0xFF == 0x7F else {
            throw SystemRefusal("the watching process does not stand still")
        }
        try body()
    }

    /// Returns when it has been told of all that happened until now: the new times of another file are told after it.
    private func catchUp() throws {
        try passBarrier()
        if backend == .polling {
            // Then the time has come for every path, and for the second look at what has just changed. What is told of the
            // other file may be news of two rounds before.
            try passBarriers(for: .milliseconds(41))
            for _ in 0..<3 { try passBarrier() }
        } else {
            // Whether the path leads elsewhere is seen to a quarter of a millisecond after a look: in the first round
            // after that, which is over when another one begins.
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
        guard result == 0 else { throw SystemRefusal("utimensat: \(errno)") }
        try wait("what was done meanwhile") { lastBarrier >= next }
    }

    /// Returns when nothing more is told of what happened until now.
    func comeToRest() throws {
        var known: Int
        repeat {
            known = looks
            try catchUp()
        } while looks != known
    }

    /// Whether nobody is woken while `body` runs.
    func isSilent(while body: () throws -> Void) throws -> Bool {
        try comeToRest()
        let known = looks
        try body()
        try catchUp()
        return looks == known
    }
}
