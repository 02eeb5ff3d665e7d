internal import VisibleText

extension EtcdClient {
    /// Reads a key, linearizably: the result contains every write that had been confirmed before the call.
    package func get(_ key: String, atRevision revision: Int? = nil) async throws(EtcdError) -> EtcdReading {
        try requireValid(key)
        let answer = try await send(GatewayCall("/v3/kv/range", .range(key, revision: revision), .repeatable))
        return EtcdReading(
            revision: answer.revision, keyValue: try read { () throws(MalformedAnswer) in try answer.keyValues() }.first
        )
    }

    /// Reads all keys that begin with `prefix`, in their order, linearizably and at one revision.
    package func list(prefix: String) async throws(EtcdError) -> (revision: Int, keyValues: [EtcdKeyValue]) {
        try requireValid(prefix, isPrefix: true)
        let answer = try await send(GatewayCall("/v3/kv/range", .range(prefix: prefix), .repeatable))
        return (answer.revision, try read { () throws(MalformedAnswer) in try answer.keyValues() })
    }

    /// Applies one list of operations, atomically.
    package func transaction(_ transaction: EtcdTransaction) async throws(EtcdError) -> EtcdTransactionResult {
        for case .modRevision(let key, _) in transaction.conditions { try requireValid(key) }
        for operation in transaction.success + transaction.failure { try requireValid(operation.key) }
        let answer = try await send(GatewayCall("/v3/kv/txn", .transaction(transaction), transaction.kind))
        return try read { () throws(MalformedAnswer) in try answer.transactionResult(of: transaction) }
    }

    /// Writes a key, and returns the revision of the store.
    package func put(_ key: String, _ value: [UInt8], lease: Int? = nil) async throws(EtcdError) -> Int {
        try requireValid(key)
        return try await send(GatewayCall("/v3/kv/put", .put(key, value, lease: lease), .write)).revision
    }

    /// Deletes a key, which may be absent, and returns the revision of the store.
    package func delete(_ key: String) async throws(EtcdError) -> Int {
        try requireValid(key)
        return try await send(GatewayCall("/v3/kv/deleterange", .range(key), .write)).revision
    }

    func requireValid(_ key: String, isPrefix: Bool = false) throws(EtcdError) {
        if key.isEmpty, !isPrefix { throw EtcdError(.rejected, "a key must not be empty") }
        if key.utf8.contains(0) { throw EtcdError(.rejected, "the key \"\(key.visible(upTo: 100))\" contains NUL") }
    }

    func read<Result>(_ body: () throws(MalformedAnswer) -> Result) throws(EtcdError) -> Result {
        do throws(MalformedAnswer) {
            return try body()
        } catch {
            throw EtcdError(.invalidResponse, "etcd's answer lacks members or has malformed ones; check its version")
        }
    }
}

extension EtcdTransaction {
    fileprivate var kind: GatewayCall.Kind {
        (success + failure).allSatisfy { if case .get = $0 { true } else { false } } ? .repeatable : .write
    }
}

extension EtcdTransaction.Operation {
    fileprivate var key: String {
        switch self {
        case .put(let key, _, _), .delete(let key), .get(let key): key
        }
    }
}
