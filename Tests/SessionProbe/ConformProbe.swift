import FileScripts
import FileWatching
import Glibc
import Synchronization

/// Watches one file in one way, and tells what it finds there each time that it is told to look: what the scenarios are
/// played before.
///
/// | line | answer |
/// | --- | --- |
/// | `watch` | `watching`, or a message and the end |
/// | `chdir FOLDER` | `done` |
/// | `note` | `done`; all events of inotify are noted from now on |
/// | `events` | `event SOURCE PATH KIND…` for each one noted, then `done` |
/// | `status` | `status BACKEND STATUS` |
///
/// Beside that come `look TEXT` (with `\n` for the end of a line), `look missing`, `look error NUMBER`, `look other` for
/// what is no file, `news` when the status is another, and
/// `barrier TIME` when it is told to look at the file BARRIER, with the time of its last change.
final class ConformProbe: Sendable {
    private let hub: FileWatchHub
    private let notes: Notes

    static func run(backend name: String, barrier: String, _ path: String) throws {
        guard let backend = FileWatchBackend(rawValue: name) else { fail("\(name) is no way to watch") }
        guard readLine() == "watch" else { fail("not told to watch") }
        let probe = ConformProbe(backend)
        let place = try AbsolutePath.of(path)
        let watch = try probe.hub.watch(path) { signal in
            if case .lookAgain = signal { say("look \(look(at: place))") } else { say("news") }
        }
        let other = try probe.hub.watch(barrier) { if case .lookAgain = $0 { say("barrier \(time(of: barrier))") } }
        say("watching")
        while let line = readLine() { probe.obey(line, watch) }
        withExtendedLifetime(other) {}
    }

    private init(_ backend: FileWatchBackend) {
        let notes = Notes()
        self.notes = notes
        hub = FileWatchHub(backend, interval: .milliseconds(20)) { notes.add($0) }
    }

    private func obey(_ line: String, _ watch: FileWatch) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words[0] {
        case "chdir": if chdir(words[1]) != 0 { fail("no folder: \(words[1])") }
        case "note": notes.begin()
        case "events": for event in notes.end() { say("event \(event.words)") }
        case "status": return say("status \(watch.backend.rawValue) \(watch.status.words)")
        default: fail("what is \(line)?")
        }
        say("done")
    }

    private static func time(of path: String) -> Int {
        var status = stat()
        stat(path, &status)
        return status.st_mtim.tv_sec
    }

    /// What is there, on one line. It is asked on the thread that watches, at the earliest moment there is.
    private static func look(at path: String) -> String {
        // A FIFO would let this wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? "missing" : "error \(errno)" }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "other" }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            let count = read(descriptor, &part, part.count)
            if count < 0 { return "error \(errno)" }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return "text "
            + String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: #"\n"#)
    }
}

/// The events of inotify, while somebody wants to know them.
private final class Notes: Sendable {
    private let events = Mutex<[FileWatchEvent]?>(nil)

    func begin() { events.withLock { $0 = [] } }

    func add(_ event: FileWatchEvent) { events.withLock { $0?.append(event) } }

    func end() -> [FileWatchEvent] {
        events.withLock { events in
            defer { events = nil }
            return events ?? []
        }
    }
}

extension FileWatchEvent {
    fileprivate var words: String {
        let place =
            switch (name, isFile) {
            case (let name?, _): "name \(path == "/" ? "" : path)/\(name)"
            case (nil, true): "file \(path)"
            case (nil, false): "folder \(path)"
            }
        return ([place] + kinds).joined(separator: " ")
    }
}

extension FileWatchStatus {
    fileprivate var words: String {
        switch self {
        case .live: "live"
        case .polling(let reason): "polling \(reason.code) \(reason)"
        }
    }
}
