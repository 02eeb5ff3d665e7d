import FileScripts
import FileWatching
import Glibc
import Synchronization

/// Watches one file with one backend, and prints what it finds there after each change. The tests run scenarios with
/// it.
///
/// | line | answer |
/// | --- | --- |
/// | `watch` | `watching`, or an error message and exit |
/// | `chdir FOLDER` | `done` |
/// | `record` | `done`; inotify events are recorded from now on |
/// | `events` | `event SOURCE PATH KIND…` for each recorded event, then `done` |
/// | `status` | `status BACKEND STATUS` |
///
/// It also prints `found text TEXT` (with `\n` for a newline), `found missing`, `found error NUMBER`, `found other` for
/// anything but a regular file, `status changed`, and `barrier TIME` after a change of the file BARRIER, with its
/// modification time.
final class ConformanceProbe: Sendable {
    private let service: DedicatedWatchService
    private let recorder: EventRecorder

    static func run(backend name: String, barrier: String, _ path: String) throws {
        guard let backend = FileWatchBackend(rawValue: name) else { fail("\(name) is not a backend") }
        guard readLine() == "watch" else { fail("expected: watch") }
        let probe = ConformanceProbe(backend)
        let absolutePath = try AbsolutePath.of(path)
        let watch = try probe.service.watch(path) { signal in
            if case .mayHaveChanged = signal {
                say("found \(content(of: absolutePath))")
            } else {
                say("status changed")
            }
        }
        let other = try probe.service.watch(barrier) {
            if case .mayHaveChanged = $0 { say("barrier \(time(of: barrier))") }
        }
        say("watching")
        while let line = readLine() { probe.execute(line, watch) }
        withExtendedLifetime(other) {}
    }

    private init(_ backend: FileWatchBackend) {
        let recorder = EventRecorder()
        self.recorder = recorder
        service = DedicatedWatchService(backend, interval: .milliseconds(20)) { recorder.add($0) }
    }

    private func execute(_ line: String, _ watch: FileWatch) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words[0] {
        case "chdir": if chdir(words[1]) != 0 { fail("no such directory: \(words[1])") }
        case "record": recorder.start()
        case "events": for event in recorder.stop() { say("event \(event.words)") }
        case "status": return say("status \(watch.backend.rawValue) \(watch.status.words)")
        default: fail("unknown command: \(line)")
        }
        say("done")
    }

    private static func time(of path: String) -> Int {
        var status = stat()
        stat(path, &status)
        return status.st_mtim.tv_sec
    }

    /// Returns what is at the path, on one line. Called on the watching thread, at the earliest possible time.
    private static func content(of path: String) -> String {
        // Without O_NONBLOCK opening a FIFO waits for a writer.
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

/// Records inotify events while it is started.
private final class EventRecorder: Sendable {
    private let events = Mutex<[FileWatchEvent]?>(nil)

    func start() { events.withLock { $0 = [] } }

    func add(_ event: FileWatchEvent) { events.withLock { $0?.append(event) } }

    func stop() -> [FileWatchEvent] {
        events.withLock { events in
            defer { events = nil }
            return events ?? []
        }
    }
}

extension FileWatchEvent {
    fileprivate var words: String {
        let source =
            switch (name, isFile) {
            case (let name?, _): "name \(path == "/" ? "" : path)/\(name)"
            case (nil, true): "file \(path)"
            case (nil, false): "folder \(path)"
            }
        return ([source] + kinds).joined(separator: " ")
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
