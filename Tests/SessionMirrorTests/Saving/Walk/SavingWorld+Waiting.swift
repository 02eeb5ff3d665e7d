import LosslessJSON

@testable import SessionMirror

// Those who wait for the disk.
extension SavingWorld {
    mutating func request(_ kind: Ledger.Ticket.Kind) {
        let number = count
        ledger.waiting[number] = Ledger.Ticket(kind: kind, mine: ledger.latest["mine"]?.int ?? 0)
        let change: SaveRequest.Change = { [program] edition, version in
            let log = (edition.savedTree["log"]?.string ?? "") + ",\(number)"
            return program.next(edition, version, setting: "log", to: JSON(log))
        }
        requests.append(
            SaveRequest(change: kind == .commit ? change : nil) { [mailbox] error in
                mailbox.put(Mailbox.Letter(number: number, error: error))
            })
        take(state.saveWanted(at: now))
    }

    mutating func takeRequests() -> [SaveRequest] {
        defer { requests = [] }
        return requests
    }

    mutating func refuse(_ error: any Error) {
        for request in takeRequests() { request.answer(error) }
        readMail(isMade: false)
    }

    /// The answers of a save: what was asked for is in the file, whatever else is wrong.
    mutating func answer(_ answer: Save.Answer) {
        for (request, error) in answer.answered { request.answer(error) }
        readMail(isMade: true, having: answer.mine["mine"]?.int ?? 0)
    }

    private mutating func readMail(isMade: Bool, having mine: Int = 0) {
        for letter in mailbox.takeAll() {
            guard let ticket = ledger.waiting.removeValue(forKey: letter.number) else {
                check(false, "request \(letter.number) was answered twice")
                continue
            }
            if isMade, ticket.kind == .commit {
                ledger.increments += 1
                check(ledger.inFile.contains(letter.number), "commit \(letter.number) was not in the file")
            }
            if letter.error == nil { succeeded(ticket, having: mine) }
            if ticket.kind == .close { closed(letter.error) }
        }
    }

    /// What went into the save can have lost there against the foreigner's.
    private mutating func succeeded(_ ticket: Ledger.Ticket, having mine: Int) {
        let lost = history.losses.compactMap { $0.path == "/mine" ? $0.values?.ours?.int : nil }.max() ?? 0
        check(max(ledger.highest, lost, mine) >= ticket.mine, "success for what is not in the file")
    }

    private mutating func closed(_ error: (any Error)?) {
        isClosing = false
        if error != nil { return }
        // What a foreigner has written meanwhile may still be on its way.
        check(state.pending == nil || memory == state.base?.value, "something is pending when it is closed")
        take(state.closed())
        isClosed = true
    }

    /// As ``Session/close()``.
    mutating func close() {
        isClosing = true
        if state.pending != nil || state.work == .saving { request(.close) } else { closed(nil) }
    }
}
