import LosslessJSON

@testable import SessionMirror

// What must hold in the end.
extension SavingWorld {
    /// What is wrong when everything has come to rest.
    func verdict() -> [String] {
        if isClosed { return history.complaints + ledger.verdict(of: self) }
        var end = self
        end.comeToRest()
        if !end.isClosed { end.compare() }
        return end.history.complaints + end.ledger.verdict(of: end)
    }

    /// Somebody mends the file, the disk can be written again, and all jobs are done.
    mutating func comeToRest() {
        disk = .good
        if file.isInvalid { happen(.repair) }
        for _ in 1...100 {
            work()
            guard let alarm = alarms.min() else { return }
            _ = pass(until: alarm)
        }
        check(false, "alarms have no end")
    }

    private mutating func compare() {
        let (state, ledger) = (state, ledger)
        check(state.pending == nil, "something is still pending")
        check(state.status.saving == .clean, "saving is \(state.status.saving)")
        check(ledger.waiting.isEmpty, "\(ledger.waiting.count) wait for ever")
        let content = file.isMissing ? MirrorStatus.Content.missing : .good
        check(state.status.content == content, "content is \(state.status.content)")
        guard let document = file.document else { return }
        let memory = memory
        check(memory == document.value, "memory is \(memory), the file \(document.value)")
        check(state.base?.text == document.text, "the text that is known is not the file's")
        let isKept = !carried.isEmpty || ledger.isKept(in: document.value)
        check(isKept, "the foreigner's are not \(ledger.foreign) in \(document.value)")
    }
}

extension Ledger {
    fileprivate func verdict(of world: SavingWorld) -> [String] {
        complaints(memory: world.memory, losses: world.history.losses)
    }
}
