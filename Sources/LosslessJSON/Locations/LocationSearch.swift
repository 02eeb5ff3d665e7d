extension JSONDocument {
    /// The locations of the values at several pointers, in one pass over the text. The result omits pointers without a
    /// value.
    public func locations(of pointers: some Sequence<JSONPointer>) -> [JSONPointer: JSONLocation] {
        defer { extendLifetime(source) }
        var search = LocationSearch(for: pointers, in: source.bytes)
        let offsets = search.run()
        let locations = LineCounter.locations(of: Array(offsets.values), in: source.bytes)
        return offsets.mapValues { locations[$0]! }
    }
}

/// Finds the values at several pointers in one pass over a text.
struct LocationSearch {
    /// A node in the trie of the requested pointers.
    private struct Node {
        /// Child nodes by key or index, as indices into `nodes`.
        var children: [ByteKey: Int] = [:]
        /// The offset of the value; nil until found.
        var offset: Int?
        /// The child nodes found so far.
        var found: [Int] = []
    }

    /// An open container with requested values inside it.
    private struct OpenContainer {
        let node: Int
        /// For an array: the index of the current element.
        var index: Int?
    }

    /// The trie, root first. Flat rather than nested, because a long pointer must not require a deep stack.
    private var nodes = [Node()]
    private var wanted: [JSONPointer: Int] = [:]
    private var openContainers: [OpenContainer] = []
    private var cursor: TextCursor

    init(for pointers: some Sequence<JSONPointer>, in bytes: UnsafeBufferPointer<UInt8>) {
        cursor = TextCursor(bytes)
        for pointer in pointers { wanted[pointer] = addNodes(along: pointer) }
    }

    private mutating func addNodes(along pointer: JSONPointer) -> Int {
        pointer.tokens.reduce(0) { node, token in
            let key = ByteKey(Text(token))
            if let child = nodes[node].children[key] { return child }
            nodes.append(Node())
            nodes[node].children[key] = nodes.count - 1
            return nodes.count - 1
        }
    }

    /// The offsets of the values that exist.
    mutating func run() -> [JSONPointer: Int] {
        if wanted.isEmpty { return [:] }
        cursor.skipSpaceAndComments()
        visitValue(0)
        while !openContainers.isEmpty {
            switch cursor.byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"): leaveContainer()
            default: readItem()
            }
        }
        return wanted.compactMapValues { nodes[$0].offset }
    }

    /// Enters the value at the cursor if requested values are inside it, otherwise skips it.
    private mutating func visitValue(_ node: Int) {
        if nodes[node].offset != nil { discardMatch(node) }
        nodes[node].offset = cursor.offset
        let isArray = cursor.byte == UInt8(ascii: "[")
        guard isArray || cursor.byte == UInt8(ascii: "{"), !nodes[node].children.isEmpty else { return skipValue() }
        openContainers.append(OpenContainer(node: node, index: isArray ? 0 : nil))
        cursor.advance()
        cursor.skipSpaceAndComments()
    }

    /// Discards the matches below a node after a duplicate key: the last one counts.
    private mutating func discardMatch(_ node: Int) {
        var found = [node]
        while let node = found.popLast() {
            nodes[node].offset = nil
            found += nodes[node].found
            nodes[node].found = []
        }
    }

    private mutating func skipValue() {
        cursor.skipValue()
        cursor.skipSeparator()
    }

    private mutating func leaveContainer() {
        openContainers.removeLast()
        cursor.advance()
        cursor.skipSeparator()
    }

    private mutating func readItem() {
        let last = openContainers.count - 1
        let key: ByteKey
        if let index = openContainers[last].index {
            key = ByteKey(Text(String(index)))
            openContainers[last].index = index + 1
        } else {
            key = readKey()
        }
        guard let node = nodes[openContainers[last].node].children[key] else { return skipValue() }
        if nodes[node].offset == nil { nodes[openContainers[last].node].found.append(node) }
        visitValue(node)
    }

    private mutating func readKey() -> ByteKey {
        let contents = UnsafeBufferPointer(rebasing: cursor.bytes[cursor.skipString()])
        cursor.skipSpaceAndComments()
        cursor.advance()  // the colon
        cursor.skipSpaceAndComments()
        return ByteKey(Escapes.decoded(contents).withUnsafeBufferPointer { Text($0) })
    }
}
