/// Builds the JSON text of a request.
///
/// The gateway takes bytes as base64 and 64-bit integers as strings.
struct RequestBody {
    private(set) var bytes: [UInt8] = []

    init(_ text: StaticString = "") { append(text) }

    init(copying text: [UInt8]) { bytes = text }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ number: Int) { bytes.append(contentsOf: "\"\(number)\"".utf8) }

    mutating func append(_ value: [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: Base64.encode(value))
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func append(key: String) { append(Array(key.utf8)) }

    mutating func append<Element>(
        _ elements: [Element], _ appendElement: (inout RequestBody, Element) -> Void
    ) {
        append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { append(",") }
            appendElement(&self, element)
        }
        append("]")
    }
}

extension RequestBody {
    static func range(_ key: String, revision: Int? = nil) -> RequestBody {
        var body = RequestBody("{")
        body.appendKey(key)
        if let revision {
            body.append(#","revision":"#)
            body.append(revision)
        }
        body.append("}")
        return body
    }

    static func range(prefix: String) -> RequestBody {
        var body = RequestBody("{")
        body.appendRange(prefix: prefix)
        body.append("}")
        return body
    }

    static func put(_ key: String, _ value: [UInt8], lease: Int?) -> RequestBody {
        var body = RequestBody()
        body.appendPut(key, value, lease)
        return body
    }

    static func transaction(_ transaction: EtcdTransaction) -> RequestBody {
        var body = RequestBody(#"{"compare":"#)
        body.append(transaction.conditions) { body, condition in
            guard case .modRevision(let key, let revision) = condition else { return }
            body.append(#"{"target":"MOD","result":"EQUAL","#)
            body.appendKey(key)
            body.append(#","mod_revision":"#)
            body.append(revision)
            body.append("}")
        }
        body.append(#","success":"#)
        body.append(transaction.success) { $0.append($1) }
        body.append(#","failure":"#)
        body.append(transaction.failure) { $0.append($1) }
        body.append("}")
        return body
    }

    static func watch(_ key: String, isPrefix: Bool, from revision: Int) -> RequestBody {
        var body = RequestBody(#"{"create_request":{"#)
        if isPrefix { body.appendRange(prefix: key) } else { body.appendKey(key) }
        body.append(#","start_revision":"#)
        body.append(revision)
        body.append(#","progress_notify":true}}"#)
        return body
    }

    static func number(_ name: StaticString, _ number: Int) -> RequestBody {
        var body = RequestBody(#"{""#)
        body.append(name)
        body.append(#"":"#)
        body.append(number)
        body.append("}")
        return body
    }

    private mutating func append(_ operation: EtcdTransaction.Operation) {
        switch operation {
        case .put(let key, let value, let lease):
            append(#"{"request_put":"#)
            appendPut(key, value, lease)
        case .delete(let key):
            append(#"{"request_delete_range":{"#)
            appendKey(key)
            append("}")
        case .get(let key):
            append(#"{"request_range":{"#)
            appendKey(key)
            append("}")
        }
        append("}")
    }

    private mutating func appendPut(_ key: String, _ value: [UInt8], _ lease: Int?) {
        bytes.reserveCapacity(bytes.count + (value.count + key.utf8.count) / 3 * 4 + 100)
        append("{")
        appendKey(key)
        append(#","value":"#)
        append(value)
        if let lease {
            append(#","lease":"#)
            append(lease)
        }
        append("}")
    }

    private mutating func appendKey(_ key: String) {
        append(#""key":"#)
        append(key: key)
    }

    /// Appends the keys that begin with `prefix`. They end before the prefix with its last byte incremented, which never
    /// overflows in UTF-8; two NULs mean all keys.
    private mutating func appendRange(prefix: String) {
        var (start, end) = (Array(prefix.utf8), Array(prefix.utf8))
        if prefix.isEmpty { (start, end) = ([0], [0]) } else { end[end.count - 1] += 1 }
        append(#""key":"#)
        append(start)
        append(#","range_end":"#)
        append(end)
    }
}
