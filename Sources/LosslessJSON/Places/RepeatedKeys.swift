/// Finds the keys that an object has twice, with their places. Only texts that have any are searched.
struct RepeatedKeys {
    /// How many are listed.
    static let limit = 100

    static func warnings(in source: Source) -> [JSONWarning] {
        defer { extendLifetime(source) }
        var search = RepeatedKeys(walker: TextWalker(source.bytes))
        search.run()
        let offsets = search.found.flatMap { [$0.offset, $0.earlier] }
        let locations = LineCounter.locations(of: offsets, in: source.bytes)
        return search.found.map {
            let excerpt = JSONExcerpt(of: $0.offset, in: source.bytes)
            return .repeatedKey($0.path, at: locations[$0.offset]!, earlier: locations[$0.earlier]!, excerpt)
        }
    }

    private struct Repeat {
        let path: JSONPointer
        let offset: Int
        let earlier: Int
    }

    /// An open container.
    private struct Level {
        let isObject: Bool
        /// Of an object: where its keys stand.
        var keys: [ByteKey: Int] = [:]
        /// Of an object: the key of the current member.
        var key = ""
        /// Of an array: the number of the current element.
        var index = 0

        var token: String { isObject ? key : String(index) }
    }

    private var walker: TextWalker
    private var levels: [Level] = []
    private var found: [Repeat] = []

    private init(walker: TextWalker) { self.walker = walker }

    private mutating func run() {
        walker.skipSpaceAndComments()
        enterValue()
        while !levels.isEmpty, found.count < RepeatedKeys.limit {
            switch walker.byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"): leaveContainer()
            default:
                // Not through a copy of the level, which would make the next key copy all keys.
                if levels[levels.count - 1].isObject { readKey() }
                enterValue()
            }
        }
    }

    /// At a value: steps into a container, or over a scalar to what comes next.
    private mutating func enterValue() {
        let byte = walker.byte
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            levels.append(Level(isObject: byte == UInt8(ascii: "{")))
            walker.advance()
            walker.skipSpaceAndComments()
        } else {
            walker.skipValue()
            endItem()
        }
    }

    private mutating func leaveContainer() {
        levels.removeLast()
        walker.advance()
        endItem()
    }

    private mutating func endItem() {
        walker.skipSeparator()
        if !levels.isEmpty { levels[levels.count - 1].index += 1 }
    }

    private mutating func readKey() {
        let start = walker.offset
        let contents = UnsafeBufferPointer(rebasing: walker.bytes[walker.skipString()])
        let key = Escapes.decoded(contents).withUnsafeBufferPointer { Text($0) }
        walker.skipSpaceAndComments()
        walker.advance()  // the colon
        walker.skipSpaceAndComments()

        let last = levels.count - 1
        levels[last].key = key.string
        if let earlier = levels[last].keys.updateValue(start, forKey: ByteKey(key)) {
            found.append(Repeat(path: JSONPointer(levels.map(\.token)), offset: start, earlier: earlier))
        }
    }
}
