import FileScripts
import FileWatching

/// How the probe watches a file.
enum WatchMode {
    /// Without a library: see ``RawWatch``.
    case raw
    /// With the shared service, as in any program.
    case automatic
    /// With one backend.
    case only(FileWatchBackend)

    static let names = "raw, automatic or \(FileWatchBackend.allCases.map(\.rawValue).joined(separator: ", "))"

    init(named name: String) throws {
        switch (name, FileWatchBackend(rawValue: name)) {
        case ("raw", _): self = .raw
        case ("automatic", _): self = .automatic
        case (_, let backend?): self = .only(backend)
        default: fail("unknown mode: \(name); expected \(WatchMode.names)")
        }
    }
}

/// Creates watches in one mode.
struct Watcher {
    typealias Handler = @Sendable () -> Void

    private let service: DedicatedWatchService?
    private let isRaw: Bool

    /// - Parameter observer: Receives every inotify event; only used with a single backend.
    init(_ mode: WatchMode, observer: (@Sendable (FileWatchEvent) -> Void)? = nil) {
        switch mode {
        case .raw: (service, isRaw) = (nil, true)
        case .automatic: (service, isRaw) = (nil, false)
        case .only(let backend): (service, isRaw) = (DedicatedWatchService(backend, observer: observer), false)
        }
    }

    /// Calls `handler` whenever the file may have changed. Returns nil in the raw mode, whose watch cannot be ended.
    func watch(_ path: String, _ handler: @escaping Handler) throws -> FileWatch? {
        let receive: @Sendable (FileWatchSignal) -> Void = { if $0 == .mayHaveChanged { handler() } }
        if let service { return try service.watch(path, handler: receive) }
        guard isRaw else { return try FileWatch(path, handler: receive) }
        RawWatch.start(path, handler)
        return nil
    }

    var statistics: FileWatchingStatistics { service?.statistics ?? FileWatchingStatistics.current }
}
