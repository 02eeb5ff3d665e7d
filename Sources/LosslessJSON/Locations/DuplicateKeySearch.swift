/// Finds duplicate keys of objects and their locations. Only texts known to contain some are searched.
struct DuplicateKeySearch {
    /// The maximum number of warnings.
    static let limit = 100

    static func warnings(in source: Source) -> [JSONWarning] {
        defer { extendLifetime(source) }
        var search = DuplicateKeySearch(cursor: TextCursor(source.bytes))
        search.run()
        let offsets = search.found.flatMap { [$0.offset, $0.earlier] }
        let locations = LineCounter.locations(of: offsets, in: source.bytes)
        return search.found.map {
            let excerpt = JSONExcerpt(of: $0.offset, in: source.bytes)
            return .duplicateKey($0.path, at: locations[$0.offset]!, earlier: locations[$0.earlier]!, excerpt)
        }
    }

    private struct Duplicate {
        let path: JSONPointer
        let offset: Int
        let earlier: Int
    }

    /// An open container.
    private struct OpenContainer {
        let isObject: Bool
        /// For an object: the offsets of its keys.
        var keys: [ByteKey: Int] = [:]
        /// For an object: the key of the current member.
        var key = ""
        /// For an array: the index of the current element.
        var index = 0

        var token: String { isObject ? key : String(index) }
    }

    private var cursor: TextCursor
    private var openContainers: [OpenContainer] = []
    private var found: [Duplicate] = []

    private init(cursor: TextCursor) { self.cursor = cursor }

    private mutating func run() {
        cursor.skipSpaceAndComments()
        visitValue()
        while !openContainers.isEmpty, found.count < DuplicateKeySearch.limit {
            switch cursor.byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"): leaveContainer()
            default:
                // Modified in place: a copy of the container would copy all keys at the next one.
                if openContainers[openContainers.count - 1].isObject { readKey() }
                visitValue()
            }
        }
    }

    /// Enters the container at the cursor, or skips a scalar and its separator.
    private mutating func visitValue() {
        let byte = cursor.byte
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            openContainers.append(OpenContainer(isObject: byte == UInt8(ascii: "{")))
            cursor.advance()
            cursor.skipSpaceAndComments()
        } else {
            cursor.skipValue()
            endItem()
        }
    }

    private mutating func leaveContainer() {
        openContainers.removeLast()
        cursor.advance()
        endItem()
    }

    private mutating func endItem() {
        cursor.skipSeparator()
        if !openContainers.isEmpty { openContainers[openContainers.count - 1].index += 1 }
    }

    private mutating func readKey() {
        let start = cursor.offset
        let contents = UnsafeBufferPointer(rebasing: cursor.bytes[cursor.skipString()])
        let key = Escapes.decoded(contents).withUnsafeBufferPointer { Text($0) }
        cursor.skipSpaceAndComments()
        cursor.advance()  // the colon
        cursor.skipSpaceAndComments()

        let last = openContainers.count - 1
        openContainers[last].key = key.string
        if let earlier = openContainers[last].keys.updateValue(start, forKey: ByteKey(key)) {
            found.append(Duplicate(path: JSONPointer(openContainers.map(\.token)), offset: start, earlier: earlier))
        }
    }
}
