/// Who runs the hub's loop, of two threads: a pure value, behind the lock of ``Crew``.
///
/// A loop belongs to the thread that runs it. While that thread is on an errand the loop is on offer: whoever comes first
/// gets it, the thread that comes back or the one that rests and has been called by the alarm. Nothing is promised
/// without somebody who rests, and who rests stays while something is promised; so whatever is on offer is the loop of
/// the thread that is away, and two are never on offer at a time.
struct Relief<Loop> {
    /// What a thread that rests does.
    enum Rest {
        case goesOn
        /// Runs the loop from now on.
        case takesOver(Loop)
        case ends
    }

    private(set) var threads = 1
    private var isSomebodyResting = false
    private var isPromised = false
    /// Whether something was promised since the rest began, or began anew.
    private var isWanted = false
    private var offer: Loop?

    /// An errand is wanted: whether somebody rests, and stays until it is over.
    mutating func promised() -> Bool {
        if isSomebodyResting { (isPromised, isWanted) = (true, true) }
        return isSomebodyResting
    }

    /// The thread that runs the loop goes on its errand.
    mutating func left(_ loop: Loop) { offer = loop }

    /// It is back: whether it may go on with the loop.
    mutating func cameBack() -> Bool {
        guard offer.take() != nil else { return false }
        isPromised = false
        return true
    }

    /// A thread begins to rest.
    mutating func rested() { (isSomebodyResting, isWanted) = (true, false) }

    /// The alarm has called the thread that rests. It may come late, or for another errand than it was set for.
    mutating func called() -> Rest {
        guard let loop = offer.take() else { return .goesOn }
        (isSomebodyResting, isPromised) = (false, false)
        return .takesOver(loop)
    }

    /// A thread has rested for long. What is on offer has waited for an alarm that did not come.
    mutating func restedLong() -> Rest {
        if case .takesOver(let loop) = called() { return .takesOver(loop) }
        if isPromised || isWanted {
            isWanted = false
            return .goesOn
        }
        return ends()
    }

    /// The alarm is broken, so the thread that rests looks by itself.
    mutating func lookedWithoutAlarm() -> Rest {
        if case .takesOver(let loop) = called() { return .takesOver(loop) }
        return isPromised ? .goesOn : ends()
    }

    private mutating func ends() -> Rest {
        (isSomebodyResting, isPromised) = (false, false)
        threads -= 1
        return .ends
    }

    /// Whether another thread is to begin, which then rests.
    mutating func reinforced() -> Bool {
        guard threads < 2 else { return false }
        threads += 1
        return true
    }

    /// That thread could not begin.
    mutating func notReinforced() { threads -= 1 }
}
