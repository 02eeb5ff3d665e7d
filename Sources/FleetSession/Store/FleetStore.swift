internal import EtcdClient
internal import Locking

/// The text that the machines of a fleet share, in etcd. It is replaced by compare-and-swap on its revision.
struct FleetStore: Sendable {
    enum PutResult: Sendable {
        /// The text has the given revision.
        case stored(Int)
        /// Another machine was faster; with what the store has.
        case outdated(StoredText)
    }

    let client: EtcdClient
    let keys: FleetKeys
    /// The name of this machine.
    let machine: String

    func read() async throws(EtcdError) -> StoredText {
        let reading = try await client.get(keys.text)
        return StoredText(reading.keyValue, revision: reading.revision)
    }

    /// Reads the text, again after failures that may pass.
    func read(until deadline: Instant) async throws(EtcdError) -> StoredText { try await ask(until: deadline, read) }

    /// Asks the store, again after failures that may pass. Nothing is written, so that nothing is uncertain afterwards.
    private func ask<Result>(
        until deadline: Instant, _ question: () async throws(EtcdError) -> Result
    ) async throws(EtcdError) -> Result {
        var delay = RetryDelay(first: .milliseconds(20), longest: .seconds(1))
        while true {
            do throws(EtcdError) {
                return try await question()
            } catch {
                guard error.isTransient, .now < deadline, !Task.isCancelled else {
                    let isLost = [.uncertain, .invalidResponse, .cancelled].contains(error.code)
                    throw isLost ? EtcdError(.unreachable, error.message) : error
                }
            }
            await delay.wait()
        }
    }

    /// Reads the text, which is not transferred if the key still has the revision of `known`. Returns it with the revision
    /// of the store.
    func read(unless known: StoredText) async throws(EtcdError) -> (text: StoredText, revision: Int) {
        let result = try await client.transaction(
            EtcdTransaction(
                conditions: [.modRevision(of: keys.text, equals: known.keyRevision)], success: [],
                failure: [.get(keys.text)]))
        let revision = result.revision
        if result.succeeded {
            let textRevision = known.keyRevision == 0 ? revision : known.keyRevision
            return (StoredText(keyRevision: known.keyRevision, revision: textRevision, bytes: known.bytes), revision)
        }
        guard case .get(let current) = result.responses.first else {
            throw EtcdError(.invalidResponse, "etcd answered a transaction without the value that it read")
        }
        return (StoredText(current, revision: revision), revision)
    }

    func watch(from revision: Int) -> EtcdWatch { client.watch(keys.text, from: revision) }

    /// The machine that wrote a revision of the text; nil if it was not written by this library, or is too old.
    func author(of stored: StoredText) async -> String? {
        guard stored.bytes != nil else { return nil }
        let commit = try? await commit(at: stored.keyRevision)
        return commit.flatMap { CommitRecord($0.value)?.machine }
    }

    /// Replaces the text, if the key still has the revision `expected`.
    ///
    /// A lost answer is not taken for a failure: the transaction is sent again with the same identifier until the store
    /// tells which of them changed the text.
    ///
    /// - Throws: After `deadline`, and if the task is cancelled, the last error. With
    ///   ``EtcdError/Code-swift.enum/uncertain`` the text may have been replaced; with any other code it has not been.
    func put(
        _ text: [UInt8], replacing expected: Int, as record: CommitRecord, until deadline: Instant
    ) async throws(EtcdError) -> PutResult {
        let attempt = PutAttempt(record: record, expected: expected)
        var uncertainty: EtcdError?
        var delay = RetryDelay(first: .milliseconds(20), longest: .seconds(1))
        while true {
            do throws(EtcdError) {
                let result = try await send(attempt.transaction(keys, text))
                if result.succeeded { return .stored(result.revision) }
                return try await attempt.result(of: result, isFirst: uncertainty == nil, in: self)
            } catch {
                if error.code == .uncertain { uncertainty = error }
                // Once it is uncertain what became of a transaction, any other error leaves it so.
                guard error.isTransient || uncertainty != nil, .now < deadline, !Task.isCancelled else {
                    throw uncertainty ?? error
                }
            }
            await delay.wait()
        }
    }

    /// Sends a transaction. An answer that cannot be read tells as little as none.
    private func send(_ transaction: EtcdTransaction) async throws(EtcdError) -> EtcdTransactionResult {
        do throws(EtcdError) {
            return try await client.transaction(transaction)
        } catch {
            guard [.cancelled, .invalidResponse].contains(error.code) else { throw error }
            throw EtcdError(.uncertain, error.message)
        }
    }

    /// Whether the store has taken a text. If that is too long ago to be told, it has not.
    func hasTaken(_ put: PendingPut, until deadline: Instant) async throws(EtcdError) -> Bool {
        do throws(EtcdError) {
            return try await ask(until: deadline) { () throws(EtcdError) in
                try await revision(of: put.identifier, replacing: put.replacedRevision) != nil
            }
        } catch {
            if error.code == .compacted { return false }
            throw error
        }
    }

    /// The revision that a commit has given the text; nil if the commit was not made.
    func revision(of identifier: String, replacing expected: Int) async throws(EtcdError) -> Int? {
        let first: EtcdKeyValue?
        if expected == 0 {
            // The key may have existed before, with commits of its own: the one that created it now is asked for.
            guard let current = try await client.get(keys.text).keyValue else { return nil }
            first = try await commit(at: current.createRevision)
        } else {
            // If the commit was made, it was the first one after the expected revision.
            first = try await firstCommit(after: expected)
        }
        guard let first, CommitRecord(first.value)?.identifier == identifier else { return nil }
        return first.modRevision
    }

    /// The commit that was made together with a revision of the text; nil if there was none.
    fileprivate func commit(at revision: Int) async throws(EtcdError) -> EtcdKeyValue? {
        let commit = try await client.get(keys.commit, atRevision: revision).keyValue
        return commit?.modRevision == revision ? commit : nil
    }

    /// The first commit that changed the text after a revision; nil if there is none.
    fileprivate func firstCommit(after revision: Int) async throws(EtcdError) -> EtcdKeyValue? {
        let latest = try await client.get(keys.commit).keyValue
        guard let latest, latest.modRevision > revision else { return nil }
        let reading = Task { [client, keys] () -> Result<EtcdKeyValue, EtcdError> in
            do throws(EtcdError) {
                var events = client.watch(keys.commit, from: revision + 1).makeAsyncIterator()
                while let event = try await events.next(isolation: nil) {
                    if case .put(let keyValue, _) = event { return .success(keyValue) }
                }
                return .failure(EtcdError(.unreachable, "the watch ended"))
            } catch {
                return .failure(error)
            }
        }
        // A member that is stopped keeps the connection.
        let limit = Task {
            try await Task.sleep(for: .seconds(5))
            reading.cancel()
        }
        defer { limit.cancel() }
        return try await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            reading.cancel()
        }.get()
    }
}

/// A transaction that replaces the text, however often it is sent.
private struct PutAttempt {
    let record: CommitRecord
    let expected: Int

    func transaction(_ keys: FleetKeys, _ text: [UInt8]) -> EtcdTransaction {
        EtcdTransaction(
            conditions: [.modRevision(of: keys.text, equals: expected)],
            success: [.put(keys.text, text, lease: nil), .put(keys.commit, record.bytes, lease: nil)],
            failure: [.get(keys.text), .get(keys.commit)])
    }

    /// The result of a transaction that found another revision.
    ///
    /// - Parameter isFirst: Whether no transaction that was sent before may have replaced the text.
    func result(
        of result: EtcdTransactionResult, isFirst: Bool, in store: FleetStore
    ) async throws(EtcdError) -> FleetStore.PutResult {
        guard case .get(let current) = result.responses.first, case .get(let commit) = result.responses.last else {
            throw EtcdError(.invalidResponse, "etcd answered a transaction without the values that it read")
        }
        let outdated = FleetStore.PutResult.outdated(StoredText(current, revision: result.revision))
        if isFirst { return outdated }
        if let commit, isOwn(commit) { return .stored(commit.modRevision) }
        // Also if another machine has replaced it since.
        let revision = try await store.revision(of: record.identifier, replacing: expected)
        return revision.map { .stored($0) } ?? outdated
    }

    private func isOwn(_ commit: EtcdKeyValue) -> Bool {
        CommitRecord(commit.value)?.identifier == record.identifier
    }
}

extension EtcdError {
    /// Whether the same request may succeed later.
    var isTransient: Bool {
        switch code {
        case .unreachable, .uncertain, .noLeader: true
        default: false
        }
    }
}

/// The time before the next attempt: random, and longer after each failure.
struct RetryDelay {
    private var limit: Duration
    private let longest: Duration

    init(first: Duration, longest: Duration) { (limit, self.longest) = (first, longest) }

    /// - Parameter attempt: How long the last attempt took. Of machines that try again sooner than that, most fail again.
    mutating func next(after attempt: Duration = .zero) -> Duration {
        limit = max(limit, attempt)
        defer { limit = min(limit * 2, max(longest, attempt * 8)) }
        return limit * Double.random(in: 0.1...1)
    }

    /// Returns early if the task is cancelled.
    mutating func wait(after attempt: Duration = .zero) async { try? await Task.sleep(for: next(after: attempt)) }
}
