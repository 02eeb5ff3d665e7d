extension EtcdClient {
    /// Creates a lease, which expires `seconds` after its last renewal, and returns its number.
    ///
    /// Etcd raises lifetimes that are shorter than its election takes.
    package func grantLease(lifetime seconds: Int) async throws(EtcdError) -> Int {
        let answer = try await send(GatewayCall("/v3/lease/grant", .number("TTL", seconds), .write))
        let lease = answer.value.number("ID")
        guard lease != 0 else { throw EtcdError(.invalidResponse, "etcd's answer has no number of a lease") }
        return lease
    }

    /// Renews a lease. Returns false if it has expired.
    package func keepLeaseAlive(_ lease: Int) async throws(EtcdError) -> Bool {
        do throws(EtcdError) {
            let answer = try await send(GatewayCall("/v3/lease/keepalive", .number("ID", lease), .repeatable))
            return answer.value.number("TTL") > 0
        } catch  where error.isMissingLease {
            return false
        }
    }

    /// Ends a lease and deletes its keys. A lease that has expired already is no error.
    package func revokeLease(_ lease: Int) async throws(EtcdError) {
        do throws(EtcdError) {
            _ = try await send(GatewayCall("/v3/lease/revoke", .number("ID", lease), .repeatable))
        } catch  where error.isMissingLease {
            return
        }
    }
}

extension EtcdError {
    fileprivate var isMissingLease: Bool { code == .rejected && message.hasSuffix("requested lease not found") }
}
