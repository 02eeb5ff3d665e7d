internal import Locking

/// What is left to do for files whose handlers were called: to see whether their paths lead elsewhere.
///
/// It is put off for a moment. Those who were called have work to do, and the kernel likes to run them on the processor of
/// the thread that woke them, as soon as that sleeps. An editor's next steps are part of the same care then.
struct Aftercare {
    private static let pause: Int64 = 250_000

    private var touches: [PathID: Batch.Touch] = [:]
    private var checks: [() -> Void] = []
    private(set) var deadline: Moment?

    mutating func add(_ touch: Batch.Touch, _ now: Moment) {
        let needsArming = touch.needsArming || touches[touch.path]?.needsArming == true
        touches[touch.path] = Batch.Touch(path: touch.path, isDirect: true, needsArming: needsArming)
        begin(now)
    }

    /// Whether an errand is over by then, or somebody else has to see to what it put off.
    mutating func add(check: @escaping () -> Void, _ now: Moment) {
        checks.append(check)
        begin(now)
    }

    private mutating func begin(_ now: Moment) {
        if deadline == nil { deadline = now + Self.pause }
    }

    /// What is to be done, if it is time.
    mutating func takeDue(_ now: Moment) -> (touches: [Batch.Touch], checks: [() -> Void])? {
        guard let due = deadline, due <= now else { return nil }
        defer { self = Aftercare() }
        return (Array(touches.values), checks)
    }
}
