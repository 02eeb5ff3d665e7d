internal import Locking

extension Mirroring {
    /// If the program changes the value meanwhile, the look was in vain; alone it cannot.
    func makeLook(alone isAlone: Bool) {
        if isAlone {
            carryOut(turn.take { decided(by: seen()) })
            return
        }
        let sight = seen()
        carryOut(sight.isNews ? turn.take { decided(by: sight) } : decided(by: sight))
    }

    private func decided(by sight: Sight) -> Decision { decided { $0.looked(sight, at: .now) } }

    private func seen() -> Sight {
        let standing = state.withLock { $0.standing }
        return timed { look.look(from: standing) }
    }

    func timed(_ look: () -> Sight) -> Sight {
        let began = Moment.now
        let sight = look()
        let time = Moment.now - began
        timing.withLock {
            $0.looks += 1
            if sight.isNews { $0.slowestReload = max($0.slowestReload, time) }
        }
        return sight
    }
}

extension Sight {
    /// Whether it changes what is in memory.
    fileprivate var isNews: Bool {
        if case .good(let outcome) = self { outcome.edition !== outcome.against } else { false }
    }
}
