/// Where a subscriber's callbacks run. Whichever it is, the callbacks of one subscriber come one after the other.
///
/// ```swift
/// let token = session.observe(\.port, on: .executor(pool)) { change in … }
/// ```
public struct Delivery: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// On a thread of the library's own, which may be kept as long as the callback likes; the default.
    public static let background = Delivery { job in Workers.shared.run { Workers.callingOut(job) } }

    /// As a task of that executor.
    public static func executor(_ executor: any TaskExecutor) -> Delivery {
        Delivery { job in Task(executorPreference: executor) { job() } }
    }

    /// On the main actor.
    public static let mainActor = Delivery { job in Task { @MainActor in job() } }

    /// However `run` runs what it is given: once, soon, and not inside `run` itself, unless it is quick.
    ///
    /// ```swift
    /// .custom { job in queue.async(execute: job) }
    /// ```
    public static func custom(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) -> Delivery {
        Delivery { job in Workers.callingOut { run(job) } }
    }
}
