internal import Locking

/// What is left to do for files whose handlers were called: to see whether their paths lead elsewhere.
///
/// It is put off for a moment. What was learned of is more urgent, and may be on its way on this very processor. An
/// editor's next steps are part of the same care then.
struct Aftercare {
    private static let pause: Int64 = 250_000

    private var touches: [PathID: Batch.Touch] = [:]
    private(set) var deadline: Moment?

    mutating func add(_ touch: Batch.Touch, _ now: Moment) {
        let needsArming = touch.needsArming || touches[touch.path]?.needsArming == true
        touches[touch.path] = Batch.Touch(path: touch.path, isDirect: true, needsArming: needsArming)
        if deadline == nil { deadline = now + Self.pause }
    }

    /// What is to be done, if it is time.
    mutating func takeDue(_ now: Moment) -> [Batch.Touch] {
        guard let due = deadline, due <= now else { return [] }
        defer { self = Aftercare() }
        return Array(touches.values)
    }
}
