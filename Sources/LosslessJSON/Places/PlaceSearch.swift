extension JSONDocument {
    /// Where the values at many pointers begin, in one pass over the text; those that are not there are left out.
    public func locations(of pointers: some Sequence<JSONPointer>) -> [JSONPointer: JSONLocation] {
        defer { extendLifetime(source) }
        var search = PlaceSearch(for: pointers, in: source.bytes)
        let offsets = search.run()
        let locations = LineCounter.locations(of: Array(offsets.values), in: source.bytes)
        return offsets.mapValues { locations[$0]! }
    }
}

/// Finds the values at many pointers in one walk through a text.
struct PlaceSearch {
    /// A value that is wanted, or holds some that are.
    private struct Step {
        /// The steps to members and elements.
        var next: [ByteKey: Int] = [:]
        /// Where the value begins; nil until it is found.
        var offset: Int?
    }

    /// An open container that holds something wanted.
    private struct Level {
        let step: Int
        /// Of an array: the number of the current element.
        var index: Int?
    }

    /// By number, from the root on. Not one in another: a long pointer must not need a deep stack.
    private var steps = [Step()]
    private var wanted: [JSONPointer: Int] = [:]
    private var levels: [Level] = []
    private var walker: TextWalker

    init(for pointers: some Sequence<JSONPointer>, in bytes: UnsafeBufferPointer<UInt8>) {
        walker = TextWalker(bytes)
        for pointer in pointers { wanted[pointer] = addSteps(along: pointer) }
    }

    private mutating func addSteps(along pointer: JSONPointer) -> Int {
        pointer.tokens.reduce(0) { step, token in
            let key = ByteKey(Text(token))
            if let next = steps[step].next[key] { return next }
            steps.append(Step())
            steps[step].next[key] = steps.count - 1
            return steps.count - 1
        }
    }

    /// The offsets of those that are there.
    mutating func run() -> [JSONPointer: Int] {
        if wanted.isEmpty { return [:] }
        walker.skipSpaceAndComments()
        enterValue(0)
        while !levels.isEmpty {
            switch walker.byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"): leaveContainer()
            default: readItem()
            }
        }
        return wanted.compactMapValues { steps[$0].offset }
    }

    /// At a value: steps into it where it holds something wanted, otherwise over it.
    private mutating func enterValue(_ step: Int) {
        if steps[step].offset != nil { forget(step) }
        steps[step].offset = walker.offset
        let isArray = walker.byte == UInt8(ascii: "[")
        guard isArray || walker.byte == UInt8(ascii: "{"), !steps[step].next.isEmpty else { return skipValue() }
        levels.append(Level(step: step, index: isArray ? 0 : nil))
        walker.advance()
        walker.skipSpaceAndComments()
    }

    /// A key stands in an object again: the last one counts.
    private mutating func forget(_ step: Int) {
        var found = [step]
        while let step = found.popLast() {
            steps[step].offset = nil
            found += steps[step].next.values.filter { steps[$0].offset != nil }
        }
    }

    private mutating func skipValue() {
        walker.skipValue()
        walker.skipSeparator()
    }

    private mutating func leaveContainer() {
        levels.removeLast()
        walker.advance()
        walker.skipSeparator()
    }

    private mutating func readItem() {
        let last = levels.count - 1
        let key: ByteKey
        if let index = levels[last].index {
            key = ByteKey(Text(String(index)))
            levels[last].index = index + 1
        } else {
            key = readKey()
        }
        if let step = steps[levels[last].step].next[key] { enterValue(step) } else { skipValue() }
    }

    private mutating func readKey() -> ByteKey {
        let contents = UnsafeBufferPointer(rebasing: walker.bytes[walker.skipString()])
        walker.skipSpaceAndComments()
        walker.advance()  // the colon
        walker.skipSpaceAndComments()
        return ByteKey(Escapes.decoded(contents).withUnsafeBufferPointer { Text($0) })
    }
}
