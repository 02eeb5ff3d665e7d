import FileScripts
import FileWatching

/// How a file is watched.
enum Way {
    /// By nobody's library, see ``RawWatch``.
    case raw
    /// As every program has it.
    case automatic
    case only(FileWatchBackend)

    static let names = "raw, automatic or \(FileWatchBackend.allCases.map(\.rawValue).joined(separator: ", "))"

    init(named name: String) throws {
        switch (name, FileWatchBackend(rawValue: name)) {
        case ("raw", _): self = .raw
        case ("automatic", _): self = .automatic
        case (_, let backend?): self = .only(backend)
        default: fail("there is no way \(name): it is \(Way.names)")
        }
    }
}

/// Begins watches in one way.
struct Watcher {
    typealias Handler = @Sendable () -> Void

    private let hub: FileWatchHub?
    private let isRaw: Bool

    /// - Parameter witness: Is told of every event of inotify; only by a hub of its own.
    init(_ way: Way, witness: (@Sendable (FileWatchEvent) -> Void)? = nil) {
        switch way {
        case .raw: (hub, isRaw) = (nil, true)
        case .automatic: (hub, isRaw) = (nil, false)
        case .only(let backend): (hub, isRaw) = (FileWatchHub(backend, witness: witness), false)
        }
    }

    /// Calls `handler` whenever the file is to be looked at. Nil for the raw way, which never ends.
    func watch(_ path: String, _ handler: @escaping Handler) throws -> FileWatch? {
        let receive: @Sendable (FileWatchSignal) -> Void = { if $0 == .lookAgain { handler() } }
        if let hub { return try hub.watch(path, handler: receive) }
        guard isRaw else { return try FileWatch(path, handler: receive) }
        RawWatch.begin(path, handler)
        return nil
    }

    var statistics: FileWatchingStatistics { hub?.statistics ?? FileWatching.statistics }
}
