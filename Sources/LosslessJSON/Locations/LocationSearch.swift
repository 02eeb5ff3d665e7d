extension JSONDocument {
    /// The locations of the values at several pointers, in one pass over the text. The result omits pointers without a
    /// value.
    @inlinable
    public func locations(of pointers: some Sequence<JSONPointer>) -> [JSONPointer: JSONLocation] {
        locations(ofAll: Array(pointers))
    }

    @usableFromInline
    func locations(ofAll pointers: [JSONPointer]) -> [JSONPointer: JSONLocation] {
        if pointers.count == 1 { return location(of: pointers[0]).map { [pointers[0]: $0] } ?? [:] }
        defer { extendLifetime(source) }
        let offsets = offsetsFromMarks(of: pointers) ?? offsetsFromStart(of: pointers)
        let locations = LineCounter.locations(of: Array(offsets.values), in: source.bytes)
        return offsets.mapValues { locations[$0]! }
    }

    /// The most values that are each found from a mark: a pass for one of them may be long, in a deeply nested text.
    private static let fewValues = 16

    /// The offsets of a few values in a large text, each found from a mark; nil if one of them is not.
    private func offsetsFromMarks(of pointers: [JSONPointer]) -> [JSONPointer: Int]? {
        let isLessThanPass = pointers.count < source.count / (4 * PositionMarks.distance)
        guard isLessThanPass, pointers.count <= Self.fewValues else { return nil }
        var offsets: [JSONPointer: Int] = [:]
        for pointer in pointers {
            guard let offset = offsetFromMark(of: pointer) else { return nil }
            offsets[pointer] = offset
        }
        return offsets
    }

    private func offsetsFromStart(of pointers: [JSONPointer]) -> [JSONPointer: Int] {
        var search = LocationSearch(for: pointers, in: source.bytes)
        return search.run()
    }
}

/// Finds the values at several pointers in one pass over a text.
struct LocationSearch {
    /// A node in the trie of the requested pointers.
    private struct Node {
        /// Child nodes by key or index, as indices into `nodes`.
        var children: [ByteKey: Int] = [:]
        /// The same while they are few, since comparing a few is faster than hashing each key of the text.
        var fewChildren: [Child] = []
        /// The offset of the value; nil until found.
        var offset: Int?
        /// The child nodes found so far.
        var found: [Int] = []
    }

    private struct Child {
        let key: [UInt8]
        /// The index that the key is in an array; nil for none.
        let index: Int?
        let node: Int
    }

    /// The number of children up to which they are compared one by one.
    private static let fewChildren = 8

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
            if nodes[node].children.count <= Self.fewChildren {
                let child = Child(key: Array(token.utf8), index: JSONPointer.index(token), node: nodes.count - 1)
                nodes[node].fewChildren.append(child)
            }
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
        let container = openContainers[last].node
        let child: Int?
        if let index = openContainers[last].index {
            child = self.child(of: container, at: index)
            openContainers[last].index = index + 1
        } else {
            child = readKey(of: container)
        }
        guard let child else { return skipValue() }
        if nodes[child].offset == nil { nodes[container].found.append(child) }
        visitValue(child)
    }

    private func child(of container: Int, at index: Int) -> Int? {
        let node = nodes[container]
        if node.children.count > Self.fewChildren { return node.children[ByteKey(Text(String(index)))] }
        return node.fewChildren.first { $0.index == index }?.node
    }

    /// Reads a key and the colon, and returns the child with this key.
    private mutating func readKey(of container: Int) -> Int? {
        let contents = UnsafeBufferPointer(rebasing: cursor.bytes[cursor.skipString()])
        cursor.skipSpaceAndComments()
        cursor.advance()  // the colon
        cursor.skipSpaceAndComments()
        let node = nodes[container]
        if node.children.count > Self.fewChildren || contents.contains(UInt8(ascii: "\\")) {
            return node.children[ByteKey(Escapes.decoded(contents).withUnsafeBufferPointer { Text($0) })]
        }
        return node.fewChildren.first { $0.key.elementsEqual(contents) }?.node
    }
}
