import LosslessJSON

@testable import SessionMirror

// Checks of the final state.
extension SavingSimulation {
    /// The guarantees that are broken once everything has settled.
    func violationsWhenSettled() -> [String] {
        if isClosed { return history.violations + expectedState.violationsWhenSettled(of: self) }
        var end = self
        end.settle()
        if !end.isClosed { end.compare() }
        return end.history.violations + end.expectedState.violationsWhenSettled(of: end)
    }

    /// Repairs the file, the disk and the value in memory, and runs all jobs.
    mutating func settle() {
        disk = .good
        if file.isInvalid { handle(.repair) }
        for _ in 1...100 {
            work()
            if memory.isUnwritable, isPossible(.update) {
                handle(.update)
                work()
            }
            guard let wakeup = wakeups.min() else { return }
            _ = pass(until: wakeup)
        }
        check(false, "wake-ups never end")
    }

    private mutating func compare() {
        let (state, expectedState) = (state, expectedState)
        check(state.pending == nil, "something is still pending")
        check(state.status.saving == .clean, "saving is \(state.status.saving)")
        check(expectedState.waiting.isEmpty, "\(expectedState.waiting.count) requests were not completed")
        let content = file.isMissing ? MirrorStatus.Content.missing : .good
        check(state.status.content == content, "content is \(state.status.content)")
        guard let document = file.document else { return }
        let memory = memory
        check(memory == document.value, "memory is \(memory), but the file is \(document.value)")
        check(state.syncBase.document?.text == document.text, "the text of the sync base is not that of the file")
        let isKept = !displaced.isEmpty || expectedState.isKept(in: document.value)
        check(isKept, "the other program's keys are not \(expectedState.foreign) in \(document.value)")
    }
}

extension ExpectedState {
    fileprivate func violationsWhenSettled(of simulation: SavingSimulation) -> [String] {
        violations(memory: simulation.memory, conflicts: simulation.history.conflicts)
    }
}
