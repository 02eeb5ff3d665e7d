internal import LosslessJSON

/// Reads the members of JSON answers. The gateway leaves out members with the value zero.
struct GatewayAnswer {
    let value: JSON

    var revision: Int { value["header"].map { $0.number("revision") } ?? 0 }

    /// The keys and values, without keys that are not UTF-8.
    func keyValues() throws(MalformedAnswer) -> [EtcdKeyValue] {
        var result: [EtcdKeyValue] = []
        for item in value["kvs"]?.array ?? JSONArray() {
            if let keyValue = try EtcdKeyValue(item) { result.append(keyValue) }
        }
        return result
    }

    func transactionResult(
        of transaction: EtcdTransaction
    ) throws(MalformedAnswer) -> EtcdTransactionResult {
        let succeeded = value["succeeded"]?.bool ?? false
        let operations = succeeded ? transaction.success : transaction.failure
        let items = value["responses"]?.array ?? JSONArray()
        guard items.count == operations.count else { throw MalformedAnswer() }
        var responses: [EtcdTransactionResult.Response] = []
        for (operation, item) in zip(operations, items) {
            switch operation {
            case .put: responses.append(.put)
            case .delete:
                responses.append(.delete(count: item["response_delete_range"]?.number("deleted") ?? 0))
            case .get:
                guard let range = item["response_range"] else { throw MalformedAnswer() }
                responses.append(.get(try GatewayAnswer(value: range).keyValues().first))
            }
        }
        return EtcdTransactionResult(revision: revision, succeeded: succeeded, responses: responses)
    }
}

/// An answer lacks a member or has one of the wrong type.
struct MalformedAnswer: Error {}

extension JSON {
    /// A 64-bit integer, which the gateway writes as a string; 0 if it is left out.
    func number(_ name: String) -> Int {
        guard let member = self[name] else { return 0 }
        return member.string.flatMap { Int($0) } ?? member.int ?? 0
    }

    func decodedBytes(_ name: String) throws(MalformedAnswer) -> [UInt8] {
        guard let member = self[name] else { return [] }
        guard let text = member.string, let bytes = Base64.decode(text) else { throw MalformedAnswer() }
        return bytes
    }
}

extension EtcdKeyValue {
    /// Reads `mvccpb.KeyValue`; nil if the key is not UTF-8.
    init?(_ item: JSON) throws(MalformedAnswer) {
        guard let key = String(validating: try item.decodedBytes("key"), as: UTF8.self) else { return nil }
        self.init(
            key: key, value: try item.decodedBytes("value"), createRevision: item.number("create_revision"),
            modRevision: item.number("mod_revision"), version: item.number("version"), lease: item.number("lease"))
    }
}
