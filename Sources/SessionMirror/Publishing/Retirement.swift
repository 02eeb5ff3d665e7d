/// Decides when what was retired is released: in batches, one at a time. A pure value, behind the ``Reclaimer``'s lock.
struct Retirement<Object> {
    /// What the reclaimer is to do next.
    enum Step: Equatable {
        case nothing
        /// Begin a batch after a moment, in which more may gather.
        case beginLater
        case beginNow
    }

    /// So many objects are not kept to gather more.
    let fullBatch: Int

    private var retired: [Object] = []
    private var inBatch = 0
    private var isToBegin = (later: false, now: false)

    init(fullBatch: Int) { self.fullBatch = fullBatch }

    /// How many objects wait for their release.
    var count: Int { retired.count + inBatch }

    var isReleasing: Bool { inBatch > 0 }

    mutating func retired(_ object: Object) -> Step {
        retired.append(object)
        return nextStep()
    }

    /// A moment, or the call for a batch, has come. The objects to release now, none while others are being released.
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
