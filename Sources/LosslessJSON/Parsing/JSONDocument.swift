/// A JSON text together with its value.
///
/// The text is kept byte for byte. Locations in it (line, column, excerpt) are computed on demand. Parsing takes one
/// pass and copies the text once.
///
/// ```swift
/// let document = try JSONDocument(parsing: bytes)
/// document.value["http"]?["port"]?.int
/// document.location(of: "http.port")      // 3:13
/// ```
public struct JSONDocument: Sendable {
    /// A dialect of JSON.
    public enum Dialect: Sendable {
        /// Exactly RFC 8259.
        case json
        /// RFC 8259 with `//` and `/* */` comments and trailing commas.
        case jsonc
    }

    /// Parser options.
    public struct Options: Sendable {
        /// The dialect to accept.
        public var dialect: Dialect

        /// The maximum nesting depth, at most ``JSONDocument/deepestNesting``.
        public var depthLimit: Int {
            didSet { depthLimit = min(max(depthLimit, 0), JSONDocument.deepestNesting) }
        }

        /// The maximum size of a text in bytes, at most 4 GiB − 2.
        public var sizeLimit: Int {
            didSet { sizeLimit = min(max(sizeLimit, 0), Int(UInt32.max) - 1) }
        }

        /// Whether a text without a value, of white space and comments only, counts as an empty object. The first edit
        /// adds the object at the end of the text. False by default: RFC 8259 requires a value.
        public var acceptsBlankText = false

        /// Creates options. By default, comments are allowed, and the limits are 512 levels and 256 MiB.
        public init(dialect: Dialect = .jsonc, depthLimit: Int = 512, sizeLimit: Int = 256 << 20) {
            self.dialect = dialect
            self.depthLimit = min(max(depthLimit, 0), JSONDocument.deepestNesting)
            self.sizeLimit = min(max(sizeLimit, 0), Int(UInt32.max) - 1)
        }
    }

    /// The largest possible depth limit.
    ///
    /// Parsing needs no stack, but comparing, printing, decoding and releasing a tree are recursive. This depth fits in
    /// the 8 MiB stack that Linux threads have by default; the default limit of 512 levels fits in 1 MiB, in optimized
    /// code.
    public static let deepestNesting = 2_048

    /// The value of the text.
    public let value: JSON

    /// The options that the text was parsed with.
    public let options: Options

    /// Whether the text has no value: white space and comments only. See ``Options/acceptsBlankText``.
    public let isBlank: Bool

    /// Warnings about the text, in text order: duplicate keys. Lists at most 100.
    public let warnings: [JSONWarning]

    private let slice: TextSlice
    var source: Source { slice.source }

    /// Where walks over the text can begin.
    let marks: PositionMarks

    /// Whether this is not the first version of the text, so that there will probably be others.
    private let isNextVersion: Bool

    /// An upper bound for the bytes of texts that ``value`` keeps alive.
    let pinnedBytes: Int

    /// Parses a text.
    ///
    /// - Throws: ``JSONSyntaxError`` for the first error in the text, with its location.
    public init(parsing bytes: RawSpan, options: Options = Options()) throws(JSONSyntaxError) {
        self = try bytes.withUnsafeBytes { bytes throws(JSONSyntaxError) in
            try JSONDocument(parsing: bytes, in: Source.scannable(bytes), options)
        }
    }

    /// Parses a text, which is not copied into a source if it is too large.
    init(
        parsing bytes: UnsafeRawBufferPointer, in source: @autoclosure () -> Source, _ options: Options
    ) throws(JSONSyntaxError) {
        guard bytes.count <= options.sizeLimit else {
            let failure = ScanFailure(expected: .size, offset: options.sizeLimit)
            throw JSONSyntaxError(failure, in: bytes.assumingMemoryBound(to: UInt8.self), options)
        }
        try self.init(scanning: source(), options)
    }

    /// Parses a text.
    ///
    /// - Throws: ``JSONSyntaxError`` for the first error in the text, with its location.
    public init(parsing bytes: [UInt8], options: Options = Options()) throws(JSONSyntaxError) {
        try self.init(parsing: bytes.span.bytes, options: options)
    }

    /// Parses a text.
    ///
    /// - Throws: ``JSONSyntaxError`` for the first error in the text, with its location.
    public init(parsing text: String, options: Options = Options()) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8.span.bytes, options: options)
    }

    private init(scanning source: Source, _ options: Options) throws(JSONSyntaxError) {
        var builder = TreeBuilder(source)
        defer { builder.dispose() }
        do throws(ScanFailure) {
            value = try Scanner(source, options).run(&builder)
            isBlank = false
        } catch {
            guard options.acceptsBlankText, error.isEnd(ofBlankText: source.bytes) else {
                throw JSONSyntaxError(error, in: source.bytes, options)
            }
            (value, isBlank) = (.object([:]), true)
        }
        slice = TextSlice(source)
        self.options = options
        pinnedBytes = source.count
        marks = PositionMarks()
        isNextVersion = false
        warnings = builder.hadDuplicateKeys ? DuplicateKeySearch.warnings(in: source) : []
    }

    /// A parsed document with another tree of the same value.
    init(_ parsed: JSONDocument, _ value: JSON, pinnedBytes: Int) {
        slice = parsed.slice
        self.value = value
        isBlank = parsed.isBlank
        options = parsed.options
        warnings = parsed.warnings
        marks = PositionMarks()
        isNextVersion = true
        self.pinnedBytes = pinnedBytes
    }

    /// Returns the document with a revision applied.
    func revised(by revision: Revision) throws(JSONEditError) -> JSONDocument {
        if isBlank { return try withEmptyObject().revised(by: revision) }
        defer { extendLifetime(source) }
        var revision = revision
        let pinnedBytes = try pinnedBytes + revision.detachNewValues(depthLimit: options.depthLimit)
        let marks = marks(upTo: revision)
        let edits = TextEditor.edits(
            for: revision, in: source.bytes, hasDuplicateKeys: !warnings.isEmpty, limit: options.sizeLimit, marks)
        guard let edits else { throw JSONEditError(.size, JSONPointer()) }
        let text = source.edited(by: edits)
        if pinnedBytes > text.count * 3 / 2, let parsed = try? JSONDocument(scanning: text, options) { return parsed }
        return JSONDocument(
            text, of: revision.applied(to: value, keepsPositions: true), after: self, pinnedBytes: pinnedBytes,
            JSONDocument.moved(marks, by: edits, for: revision))
    }

    private static func moved(_ marks: PositionMarks, by edits: [TextEdit], for revision: Revision) -> PositionMarks {
        let changes = edits.map { (bytes: $0.range, growth: $0.replacement.count - $0.range.count) }
        guard let first = changes.first else { return marks }
        if revision.keepsItems { return marks.moved(by: changes) }
        guard changes.count == 1, let splice = revision.onlySplice else { return marks.upTo(first.bytes.lowerBound) }
        return marks.moved(
            bySplice: first.bytes, growth: first.growth, inContainerAt: splice.path, itemGrowth: splice.growth)
    }

    /// The marks of the text, at least up to the last item that an edit has to find. A text that is edited for the first
    /// time gets none: finding them takes longer than the edit.
    private func marks(upTo revision: Revision) -> PositionMarks {
        var marks = marks
        // With keys that occur twice, positions in the text are not positions in the value.
        guard PartialWork.isEnabled, isNextVersion, warnings.isEmpty, source.count > PositionMarks.distance else {
            return marks
        }
        let path = revision.lastPath
        if path.count > PositionMarks.deepest { return marks }
        var walk = ItemWalk(source.bytes, from: marks.last(beforeItemAt: path))
        walk.advance(toItemAt: path, &marks)
        return marks
    }

    /// Returns a blank text with an empty object at its end.
    private func withEmptyObject() throws(JSONEditError) -> JSONDocument {
        let text = bytes
        let isLineEnded = text.isEmpty || text.last == UInt8(ascii: "\n") || hasByteOrderMark && text.count == 3
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: text + Array("\(isLineEnded ? "" : "\n"){\n}\n".utf8), options: options)
        } catch {
            throw JSONEditError(error.code == .depth ? .depth : .size, JSONPointer())
        }
    }

    /// The next version of a document.
    init(_ text: Source, of value: JSON, after before: JSONDocument, pinnedBytes: Int, _ marks: PositionMarks) {
        slice = TextSlice(text)
        self.value = value
        isBlank = false
        options = before.options
        warnings = before.warnings.isEmpty ? [] : DuplicateKeySearch.warnings(in: text)
        self.marks = marks
        isNextVersion = true
        self.pinnedBytes = pinnedBytes
    }
}

extension JSONDocument {
    /// The bytes of the text, including its byte-order mark, comments and line ends.
    public var bytes: [UInt8] { Array(source.bytes) }

    /// The text, including its byte-order mark, comments and line ends.
    public var text: String { String(decoding: source.bytes, as: UTF8.self) }

    /// Calls `body` with the bytes of the text, without copying them. The pointer is valid only during the call.
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        defer { extendLifetime(source) }
        return try body(source.bytes)
    }

    /// Whether the text starts with a byte-order mark.
    public var hasByteOrderMark: Bool { source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) }
}

extension JSON {
    /// Parses a text whose layout does not matter.
    ///
    /// - Throws: ``JSONSyntaxError`` for the first error in the text, with its location.
    public init(parsing text: String, dialect: JSONDocument.Dialect = .jsonc) throws(JSONSyntaxError) {
        self = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect)).value
    }

    /// Parses a text whose layout does not matter.
    ///
    /// - Throws: ``JSONSyntaxError`` for the first error in the text, with its location.
    public init(parsing bytes: [UInt8], dialect: JSONDocument.Dialect = .jsonc) throws(JSONSyntaxError) {
        self = try JSONDocument(parsing: bytes, options: JSONDocument.Options(dialect: dialect)).value
    }
}
