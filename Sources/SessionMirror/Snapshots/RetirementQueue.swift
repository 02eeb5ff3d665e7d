/// Decides when retired objects are released: in batches, one at a time. A pure value, protected by the lock of the
/// ``Reclaimer``.
struct RetirementQueue<Object> {
    /// What the reclaimer does next.
    enum Step: Equatable {
        case nothing
        /// Begin a batch after a short delay, in which more objects may gather.
        case beginLater
        case beginNow
    }

    /// The number of objects at which a batch begins without a delay.
    let fullBatch: Int

    private var retired: [Object] = []
    private var inBatch = 0
    private var isToBegin = (later: false, now: false)

    init(fullBatch: Int) { self.fullBatch = fullBatch }

    /// The number of objects not released yet.
    var count: Int { retired.count + inBatch }

    var isReleasing: Bool { inBatch > 0 }

    mutating func retired(_ object: Object) -> Step {
        retired.append(object)
        return nextStep()
    }

    /// The step that was asked for is due. Returns the objects to release now; none while a batch is being released.
    mutating func begin(_ step: Step) -> [Object] {
        if step == .beginLater { isToBegin.later = false } else { isToBegin.now = false }
        guard !isReleasing, !retired.isEmpty else { return [] }
        defer { retired = [] }
        inBatch = retired.count
        return retired
    }

    mutating func released() -> Step {
        inBatch = 0
        return nextStep()
    }

    private mutating func nextStep() -> Step {
        if isReleasing || retired.isEmpty || isToBegin.now { return .nothing }
        if retired.count >= fullBatch {
            isToBegin.now = true
            return .beginNow
        }
        if isToBegin.later { return .nothing }
        isToBegin.later = true
        return .beginLater
    }
}
