package import Locking

/// Reports when the file at a path may have changed, until the watch is cancelled or released.
///
/// ```swift
/// let watch = try FileWatch("/etc/app/settings.json") { signal in
///     if case .mayHaveChanged = signal { queue.async { reload() } }
/// }
/// reload()                    // Changes from here on are reported.
/// ```
///
/// A watch follows the *path*, not the file. The file may be written in place, replaced, deleted, created again, or be
/// missing at first; so may each directory and symbolic link that the path leads through. The watch reports each of
/// these as ``FileWatchSignal/mayHaveChanged`` and does not end by itself. The signal carries no content: read the file
/// to learn its current state.
///
/// A watch costs a few kilobytes of memory, one inotify watch for the file and one for each directory that the path leads
/// through. Watches of files in the same directory share the directory's. All watches of a process share one thread,
/// which sleeps while nothing happens.
///
/// Where the kernel does not report all changes, the path is polled on one more thread; ``status`` gives the reason.
/// See <doc:DetectedChanges> for the details, and for the changes that cannot be detected.
public final class FileWatch: Sendable {
    private let registration: WatchRegistration
    private let service: WatchService

    /// Begins to watch a path. All changes after the initializer has returned are reported.
    ///
    /// The handler runs on a thread that all watches share: it must return quickly and must not block. That thread
    /// blocks all signals except those of faults, and programs started on it inherit its signal mask. The handler may
    /// create and cancel watches, including its own. What it captures is released when the watch is cancelled. If the
    /// initial status is not ``FileWatchStatus/live``, the handler receives it before the initializer returns.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or one that is resolved against the working directory at initialization. The file
    ///     need not exist.
    ///   - method: How to watch the file.
    ///   - handler: Called with each signal.
    /// - Throws: A ``FileWatchError`` if the path is invalid, if the process cannot create the watching thread or the
    ///   descriptor that wakes it, or in a child that a watching process has made by `fork`.
    public convenience init(
        _ path: String, method: FileWatchMethod = .automatic, handler: @escaping @Sendable (FileWatchSignal) -> Void
    ) throws(FileWatchError) {
        try self.init(path, method: method, service: .shared, handler: handler)
    }

    init(
        _ path: String, method: FileWatchMethod = .automatic, service: WatchService,
        handler: @escaping WatchRegistration.Handler
    ) throws(FileWatchError) {
        self.service = service
        registration = WatchRegistration(try AbsolutePath.of(path), method, handler)
        if let reason = service.add(registration) {
            _ = registration.cancel()
            throw FileWatchError(registration.path, reason)
        }
    }

    deinit { cancel() }

    /// The absolute path. Later changes of the working directory do not affect it.
    public var path: String { registration.path }

    /// How reliably changes of the file are reported now.
    ///
    /// In a child process made by `fork`, where no signals arrive, the status is ``FileWatchStatus/polling(_:)`` with
    /// the code ``FileWatchReason/Code/forked``.
    public var status: FileWatchStatus { service.isInOwnProcess ? registration.status : .polling(.forked()) }

    /// The backend that watches the file now.
    public var backend: FileWatchBackend { service.isInOwnProcess ? registration.backend : .polling }

    /// The counters of this watch; all zero in a child process made by `fork`.
    public var metrics: FileWatchMetrics { service.isInOwnProcess ? registration.metrics : FileWatchMetrics() }

    /// Ends the watch. No call of the handler begins after this has returned.
    ///
    /// This does not wait for a call of the handler that has begun, so it cannot deadlock; whatever the handler uses
    /// must outlive such a call. Cancelling more than once, or in the handler, is allowed.
    public func cancel() {
        guard service.isInOwnProcess, registration.cancel() else { return }
        service.remove(registration.id)
    }
}

extension FileWatch {
    /// Runs `work` on the thread that is calling a handler, after all handlers have been called. This saves waking
    /// another thread.
    ///
    /// The work may take any time: after half a millisecond, or after five milliseconds if the last works took less than
    /// half of one, another thread takes over the watching. That thread then calls `onTakeover`, for whatever was to
    /// happen after the work and can no longer wait for it.
    ///
    /// Returns false, and does not run the work, outside a handler, when other work is deferred already, and when there
    /// is no thread that could take over.
    package static func runAfterHandlers(
        _ work: @escaping () -> Void, onTakeover: @escaping () -> Void
    ) -> Bool {
        WatchLoop.current?.deferWork(DeferredWork(body: work, onTakeover: onTakeover)) ?? false
    }

    /// Schedules a call on the watching thread, and another at each instant that `body` returns. For work that must run
    /// when the process can create no other thread.
    ///
    /// The call may take long; another thread takes over the watching if there is one. Returns false, and schedules
    /// nothing, if no file has been watched yet, and in a child process made by `fork`.
    package static func scheduleOnWatchingThread(
        at instant: Instant, _ body: @escaping @Sendable () -> Instant?
    ) -> Bool {
        WatchService.shared.schedule(ScheduledCall(due: instant, body: body))
    }
}
