internal import Locking

/// The delays between retries of an operation that another process blocks, and the time limit for all of them: 2 s by
/// default, with growing pauses.
///
/// The kernel tells the holder of a lease that another process waits, and a holder of a lock that uses this library is
/// fast, so most waits end after the first pauses.
///
/// Pauses take longer than requested. With `usesClock`, the elapsed time counts against the limit as well, unless there
/// were few attempts because this process did not get to run.
struct Backoff {
    private var spent = 0
    private var tries = 0
    private var end: Instant?
    private let usesClock: Bool
    private var pause = 50
    private let limit: Int
    private let longestPause: Int

    /// Creates delays with a limit. All times are in microseconds.
    init(limit: Int = 2_000_000, longestPause: Int = 50_000, usesClock: Bool = false) {
        (self.limit, self.longestPause, self.usesClock) = (limit, longestPause, usesClock)
    }

    /// Counts the duration of an attempt against the limit.
    mutating func addElapsed(_ microseconds: Int) { spent += microseconds }

    /// Returns the next pause in microseconds, or nil when the limit is reached.
    mutating func nextPause() -> Int? {
        guard spent < limit, !usesClock || !isExpired() else { return nil }
        defer { pause = min(pause * 2, longestPause) }
        let next = min(pause, limit - spent)
        spent += next
        return next
    }

    private static var minimumTries: Int { 100 }

    private mutating func isExpired() -> Bool {
        let now = Instant.now
        let end = self.end ?? now + .microseconds(limit)
        (self.end, tries) = (end, tries + 1)
        return now >= end && tries > Self.minimumTries
    }
}

/// The limit for all attempts of one replacement while other programs change the file.
///
/// A process that opens the file for writing goes first, so that its edit is merged in one step. That is granted ten
/// times, or for 2 s; after that the writer waits until the replacement is done, and its edit costs another attempt. No
/// attempt begins later than 10 s after the first interference.
struct RetryLimit {
    private var first: Int?
    private var openings = 0

    static var maximumOpenings: Int { 10 }
    /// In microseconds since the first interference.
    static var longestYield: Int { 2_000_000 }
    static var longest: Int { 10_000_000 }

    /// Records that a process wants to open the file for writing; returns whether it goes first.
    mutating func shouldYield(at now: Int) -> Bool {
        openings += 1
        return openings <= Self.maximumOpenings && elapsed(at: now) < Self.longestYield
    }

    /// Returns whether there is time for another attempt.
    mutating func allowsRetry(at now: Int) -> Bool { elapsed(at: now) < Self.longest }

    private mutating func elapsed(at now: Int) -> Int {
        let start = first ?? now
        first = start
        return now - start
    }
}
