internal import Glibc

/// Tells when the file at a path may have changed, whatever happens to the path, until it is cancelled or released.
///
/// ```swift
/// let watch = try FileWatch("/etc/app/settings.json") { signal in
///     if case .lookAgain = signal { queue.async { reload() } }
/// }
/// reload()                    // after arming: nothing that happens from now on goes unnoticed
/// ```
///
/// It follows the *path*. The file may be written in place, replaced by another, deleted and created again, or not be
/// there yet; so may every folder and every symbolic link on the way. All of it ends in
/// ``FileWatchSignal/lookAgain``, which means just that: what is true is what the file says when it is read. The watch
/// never ends by itself.
///
/// A watch costs about one and a half kilobytes, one watch of the kernel for the file and one for each folder on the way,
/// which all files below it share. All watches of a process share one thread, which sleeps while nothing happens.
///
/// Where the kernel does not tell of every change the path is polled, by one more thread, as long as that is so:
/// ``status`` says why. <doc:WhatIsNoticed> tells what that means, and what cannot be noticed at all.
public final class FileWatch: Sendable {
    private let subscription: Subscription
    private let hub: Hub

    /// Begins to watch what the path leads to. Whatever happens after it has returned is told.
    ///
    /// The handler is called on a thread that all watches share: it must be quick and must not wait. It may make and
    /// cancel watches, this one too. What it captures is released when the watch is cancelled. A watch that begins
    /// other than ``FileWatchStatus/live`` tells so at once, before this returns.
    ///
    /// - Parameters:
    ///   - path: Absolute, or relative to the working directory of now. Nothing needs to be there.
    ///   - method: How to watch it, if the best way that can be found is not to be taken.
    ///   - handler: What is called with each signal.
    /// - Throws: A ``FileWatchError`` for what is no path, and where the process may not begin what it needs: a thread, and a
    ///   descriptor to wake it.
    public convenience init(
        _ path: String, method: FileWatchMethod = .automatic, handler: @escaping @Sendable (FileWatchSignal) -> Void
    ) throws(FileWatchError) {
        try self.init(path, method: method, by: .shared, handler: handler)
    }

    init(
        _ path: String, method: FileWatchMethod = .automatic, by hub: Hub, handler: @escaping Subscription.Handler
    ) throws(FileWatchError) {
        self.hub = hub
        subscription = Subscription(try AbsolutePath.of(path), method, handler)
        if let reason = hub.add(subscription) {
            _ = subscription.cancel()
            throw FileWatchError(subscription.path, reason)
        }
    }

    deinit { cancel() }

    /// The absolute path: a later change of the working directory changes nothing.
    public var path: String { subscription.path }

    /// How well the file is watched now.
    ///
    /// In a child made by `fork`, where nothing is watched, it is ``FileWatchStatus/polling(_:)`` with the code
    /// ``FileWatchReason/Code/forked``, and no signals come.
    public var status: FileWatchStatus { hub.isInItsProcess ? subscription.status : .polling(.forked()) }

    /// What watches the file now.
    public var backend: FileWatchBackend { hub.isInItsProcess ? subscription.backend : .polling }

    /// What has happened so far; all zero in a child made by `fork`.
    public var metrics: FileWatchMetrics { hub.isInItsProcess ? subscription.metrics : FileWatchMetrics() }

    /// Ends the watch: after it has returned the handler does not begin to run any more, though a call that has begun
    /// goes on. It never waits for the handler, and may be called any number of times.
    public func cancel() {
        guard hub.isInItsProcess, subscription.cancel() else { return }
        hub.forget(subscription.id)
    }
}

extension FileWatch {
    /// Has `errand` done by the thread that calls a handler now, when it has called all handlers: nobody has to be woken for
    /// it. It may take as long as it likes: after a quarter of a millisecond another thread watches.
    ///
    /// That other thread calls `ifLong`: for what the errand put off until it is over, which may not be soon.
    ///
    /// False outside a handler, and where there is no other thread: then it is not done. A thread does one at a time.
    package static func afterHandlers(do errand: @escaping () -> Void, ifLong: @escaping () -> Void) -> Bool {
        HubLoop.current?.promise(Errand(body: errand, ifLong: ifLong)) ?? false
    }
}

/// Paths as the kernel takes them.
package enum AbsolutePath {
    /// `path` from the root of the file system, so that a later change of the working directory changes nothing.
    package static func of(_ path: String) throws(FileWatchError) -> String {
        guard !path.isEmpty else { throw FileWatchError(path, .invalidPath("it names nothing")) }
        guard !path.utf8.contains(0) else { throw FileWatchError(path, .invalidPath("it holds a NUL")) }
        let result = path.utf8.first == UInt8(ascii: "/") ? path : try workingDirectory(for: path) + "/" + path
        guard result.utf8.count < Int(PATH_MAX) else {
            throw FileWatchError(path, .invalidPath("it is longer than \(PATH_MAX - 1) bytes"))
        }
        return result
    }

    private static func workingDirectory(for path: String) throws(FileWatchError) -> String {
        guard let folder = getcwd(nil, 0) else {
            let error = SystemError(number: errno)
            throw FileWatchError(path, .system(error, "it is relative, and the working directory cannot be told"))
        }
        defer { free(folder) }
        guard let text = String(validatingCString: folder) else {
            throw FileWatchError(path, .invalidPath("it is relative, and the working directory is not UTF-8"))
        }
        return text
    }
}
