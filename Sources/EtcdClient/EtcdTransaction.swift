/// Operations that are applied atomically, if conditions hold or if they do not.
///
/// ```swift
/// let create = EtcdTransaction(
///     conditions: [.modRevision(of: "/settings", equals: 0)],        // the key is absent
///     success: [.put("/settings", bytes, lease: nil)], failure: [.get("/settings")])
/// ```
package struct EtcdTransaction: Sendable {
    package enum Condition: Sendable, Hashable {
        /// The key was last written at this revision of the store; 0 means that it is absent.
        case modRevision(of: String, equals: Int)
    }

    package enum Operation: Sendable, Hashable {
        case put(String, [UInt8], lease: Int?)
        case delete(String)
        case get(String)
    }

    package var conditions: [Condition]
    /// The operations if all conditions hold.
    package var success: [Operation]
    /// The operations if a condition does not hold.
    package var failure: [Operation]

    package init(conditions: [Condition], success: [Operation], failure: [Operation] = []) {
        self.conditions = conditions
        self.success = success
        self.failure = failure
    }
}

/// The result of a transaction.
package struct EtcdTransactionResult: Sendable, Hashable {
    package enum Response: Sendable, Hashable {
        case put
        /// The number of keys that were deleted.
        case delete(count: Int)
        /// Nil if the key is absent.
        case get(EtcdKeyValue?)
    }

    /// The revision of the store after the transaction.
    package let revision: Int
    /// Whether all conditions held.
    package let succeeded: Bool
    /// The results of the operations that were applied, in their order.
    package let responses: [Response]
}
