import LosslessJSON

/// Searches the keys and values of a tree for a text, also in closed containers, in the order of the rows.
///
/// ASCII letters match in both cases. Costs up to a walk through everything. Secrets are not found.
struct TreeSearch {
    private let query: [UInt8]
    private let secrets: JSONSecrets
    private let start: RowPath
    private let isBackward: Bool

    private var path = RowPath(branch: 0, tokens: [])
    private var base = JSONPointer()
    private var hasPassedStart = false
    private var isFinished = false
    private var firstBefore: RowPath?
    private var lastBefore: RowPath?
    private var firstAfter: RowPath?
    private var lastAfter: RowPath?

    private init(_ query: String, from start: RowPath, isBackward: Bool, hiding secrets: JSONSecrets) {
        self.query = query.utf8.map(\.lowercased)
        (self.start, self.isBackward, self.secrets) = (start, isBackward, secrets)
    }

    /// The nearest match after a row, or before it; continues at the other end. Nil for none.
    static func find(
        _ query: String, in rows: TreeRows, from start: RowPath, isBackward: Bool, hiding secrets: JSONSecrets
    ) -> RowPath? {
        if query.isEmpty { return nil }
        var search = TreeSearch(query, from: start, isBackward: isBackward, hiding: secrets)
        for (index, branch) in rows.branches.enumerated() where !search.isFinished {
            search.path = RowPath(branch: index, tokens: [])
            search.base = branch.base
            search.visit(branch.value, key: nil)
        }
        return isBackward ? search.lastBefore ?? search.lastAfter : search.firstAfter ?? search.firstBefore
    }

    private mutating func visit(_ value: JSON?, key: String?) {
        if matches(value, key) { note() }
        if !hasPassedStart, path == start {
            hasPassedStart = true
            if isBackward, lastBefore != nil { isFinished = true }
        }
        guard let value else { return }
        var hasKeys = false
        if case .object = value { hasKeys = true }
        for (key, child) in value.children {
            if isFinished { return }
            path.tokens.append(key)
            visit(child, key: hasKeys ? key : nil)
            path.tokens.removeLast()
        }
    }

    /// Notes a match. The start itself is the last choice in both directions.
    private mutating func note() {
        if hasPassedStart {
            firstAfter = firstAfter ?? path
            lastAfter = path
            if !isBackward { isFinished = true }
        } else if path == start {
            if isBackward { lastAfter = path } else { firstBefore = firstBefore ?? path }
        } else {
            firstBefore = firstBefore ?? path
            lastBefore = path
        }
    }

    private func matches(_ value: JSON?, _ key: String?) -> Bool {
        if let key, key.utf8.containsIgnoringCase(query) { return !isHidden(depth: path.tokens.count - 1) }
        guard let value, value.hasText(query) else { return false }
        return secrets.isEmpty || secrets.redacting(value, at: JSONPointer(base.tokens + path.tokens)) == value
    }

    /// Whether the container at some depth of the current path is a secret.
    private func isHidden(depth: Int) -> Bool {
        !secrets.isEmpty && secrets.contains(JSONPointer(base.tokens + path.tokens.prefix(depth)))
    }
}

extension JSON {
    /// Whether a scalar contains a text in lower case.
    fileprivate func hasText(_ query: [UInt8]) -> Bool {
        switch self {
        case .string(let string): string.string.utf8.containsIgnoringCase(query)
        case .number(let number): number.spelling.utf8.containsIgnoringCase(query)
        case .bool(let bool): (bool ? "true" : "false").utf8.containsIgnoringCase(query)
        case .null: "null".utf8.containsIgnoringCase(query)
        case .array, .object: false
        }
    }
}

extension UInt8 {
    /// Of an ASCII letter, the lower case.
    fileprivate var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension String.UTF8View {
    /// Whether it contains bytes in lower case.
    fileprivate func containsIgnoringCase(_ query: [UInt8]) -> Bool {
        if query.count > count { return false }
        return withContiguousStorageIfAvailable { $0.containsIgnoringCase(query) }
            ?? Array(self).withUnsafeBufferPointer { $0.containsIgnoringCase(query) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func containsIgnoringCase(_ query: [UInt8]) -> Bool {
        (0...count - query.count).contains { start in
            query.indices.allSatisfy { self[start + $0].lowercased == query[$0] }
        }
    }
}
