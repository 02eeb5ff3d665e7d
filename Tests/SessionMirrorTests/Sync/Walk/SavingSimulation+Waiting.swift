import LosslessJSON

@testable import SessionMirror

// Requests that wait for the disk.
extension SavingSimulation {
    mutating func request(_ kind: ExpectedState.PendingRequest.Kind) {
        let number = count
        expectedState.waiting[number] = ExpectedState.PendingRequest(
            kind: kind, mine: expectedState.latest["mine"]?.int ?? 0)
        let change: SaveRequest.Change = { [program] snapshot, version in
            let log = (snapshot.savedTree["log"]?.string ?? "") + ",\(number)"
            return program.next(snapshot, version, setting: "log", to: JSON(log))
        }
        requests.append(
            SaveRequest(change: kind == .commit ? change : nil) { [completions] error in
                completions.append(CompletionQueue.Completion(number: number, error: error))
            })
        perform(state.saveRequested(at: now))
    }

    mutating func takeRequests() -> [SaveRequest] {
        defer { requests = [] }
        return requests
    }

    mutating func fail(_ requests: [SaveRequest], _ error: any Error) {
        for request in requests { request.completion(error) }
        handleCompletions(isInFile: false)
    }

    /// Completes the requests of a save: their changes are in the file, whatever else failed.
    mutating func complete(_ result: SaveResult) {
        for (request, error) in result.completedRequests { request.completion(error) }
        handleCompletions(isInFile: true, having: result.inputTree["mine"]?.int ?? 0)
    }

    private mutating func handleCompletions(isInFile: Bool, having mine: Int = 0) {
        for completion in completions.takeAll() {
            guard let request = expectedState.waiting.removeValue(forKey: completion.number) else {
                check(false, "request \(completion.number) was completed twice")
                continue
            }
            if isInFile, request.kind == .commit {
                if !expectedState.inMemory.contains(completion.number) { expectedState.increments += 1 }
                let isAccountedFor = expectedState.inFile.contains(completion.number) || hasLost(completion.number)
                check(isAccountedFor, "commit \(completion.number) was not in the file")
            }
            if completion.error == nil { succeeded(request, having: mine) }
            if request.kind == .close { closed(completion.error) }
        }
    }

    /// Whether a commit that memory had before the file lost a conflict, as an update may: as if the other program had
    /// written right after the commit.
    private func hasLost(_ number: Int) -> Bool {
        expectedState.inMemory.contains(number)
            && history.conflicts.contains { conflict in
                guard conflict.path == "/log", let values = conflict.code.values else { return false }
                return ExpectedState.commits(in: values.ours ?? "").contains(number)
                    && !ExpectedState.commits(in: values.theirs ?? "").contains(number)
            }
    }

    /// Checks that the value of a successful request is in the file, unless it lost a conflict in the save.
    private mutating func succeeded(_ request: ExpectedState.PendingRequest, having mine: Int) {
        let lost = history.conflicts.compactMap { $0.path == "/mine" ? $0.code.values?.ours?.int : nil }.max() ?? 0
        check(
            max(expectedState.highest, lost, mine) >= request.mine, "a request succeeded whose value is not in the file"
        )
    }

    private mutating func closed(_ error: (any Error)?) {
        isClosing = false
        if error != nil { return }
        // An edit by another program may not be loaded yet.
        check(
            state.pending == nil || memory == state.syncBase.document?.value, "a change is pending in a closed session")
        perform(state.closed())
        isClosed = true
    }

    /// Closes the session, like ``Session/close()``.
    mutating func close() {
        isClosing = true
        if state.pending != nil || state.activity == .saving { request(.close) } else { closed(nil) }
    }
}
