/// A JSON text and its value together.
///
/// The text is kept as it is, byte for byte, and everything that can be said of a place in it (line, column, an
/// excerpt) is worked out when asked for. Parsing takes one pass and copies the text once.
///
/// ```swift
/// let document = try JSONDocument(parsing: bytes)
/// document.value["http"]?["port"]?.int
/// document.location(of: "http.port")      // 3:13
/// ```
public struct JSONDocument: Sendable {
    /// What counts as JSON.
    public enum Dialect: Sendable {
        /// RFC 8259 exactly.
        case json
        /// RFC 8259 and what people write: `//` and `/* */` comments, and a comma behind the last member or element.
        case jsonc
    }

    /// How to read a text.
    public struct Options: Sendable {
        /// What counts as JSON.
        public var dialect: Dialect

        /// How many containers may lie inside each other, at most ``JSONDocument/deepestNesting``.
        public var depthLimit: Int {
            didSet { depthLimit = min(max(depthLimit, 0), JSONDocument.deepestNesting) }
        }

        /// How many bytes a text may have, at most 4 GiB − 2.
        public var sizeLimit: Int {
            didSet { sizeLimit = min(max(sizeLimit, 0), Int(UInt32.max) - 1) }
        }

        /// With comments, 512 levels and 256 MiB, unless said otherwise.
        public init(dialect: Dialect = .jsonc, depthLimit: Int = 512, sizeLimit: Int = 256 << 20) {
            self.dialect = dialect
            self.depthLimit = min(max(depthLimit, 0), JSONDocument.deepestNesting)
            self.sizeLimit = min(max(sizeLimit, 0), Int(UInt32.max) - 1)
        }
    }

    /// The largest depth limit.
    ///
    /// Parsing needs no stack, but comparing, printing, decoding and releasing a tree walk down it. This much fits into
    /// the 8 MiB that a thread has on Linux unless it asks for less; the 512 levels of the default fit into 1 MiB, in
    /// optimised code.
    public static let deepestNesting = 2_048

    /// What the text means.
    public let value: JSON

    /// How the text was read.
    public let options: Options

    /// What is odd about a valid text, in the order of the text: keys that an object has twice. At most 100 are listed.
    public let warnings: [JSONWarning]

    private let slice: TextSlice
    var source: Source { slice.source }

    /// How many bytes of texts, at most, ``value`` keeps alive.
    let pinnedBytes: Int

    /// Reads a text.
    ///
    /// - Throws: what is wrong with the text first, with its place.
    public init(parsing bytes: RawSpan, options: Options = Options()) throws(JSONSyntaxError) {
        self = try bytes.withUnsafeBytes { bytes throws(JSONSyntaxError) in
            guard bytes.count <= options.sizeLimit else {
                let failure = ScanFailure(expected: .size, offset: options.sizeLimit)
                throw JSONSyntaxError(failure, in: bytes.assumingMemoryBound(to: UInt8.self), options)
            }
            return try JSONDocument(scanning: Source.scannable(bytes), options)
        }
    }

    /// Reads a text.
    ///
    /// - Throws: what is wrong with the text first, with its place.
    public init(parsing bytes: [UInt8], options: Options = Options()) throws(JSONSyntaxError) {
        try self.init(parsing: bytes.span.bytes, options: options)
    }

    /// Reads a text.
    ///
    /// - Throws: what is wrong with the text first, with its place.
    public init(parsing text: String, options: Options = Options()) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8.span.bytes, options: options)
    }

    private init(scanning source: Source, _ options: Options) throws(JSONSyntaxError) {
        var builder = TreeBuilder(source)
        defer { builder.dispose() }
        do throws(ScanFailure) {
            value = try Scanner(source, options).run(&builder)
        } catch {
            throw JSONSyntaxError(error, in: source.bytes, options)
        }
        slice = TextSlice(source)
        self.options = options
        pinnedBytes = source.count
        warnings = builder.hadRepeatedKeys ? RepeatedKeys.warnings(in: source) : []
    }

    /// Reads the next version of this text. What did not change keeps its identity, so that comparing the two values
    /// costs what changed, and so that versions share their memory.
    ///
    /// - Throws: what is wrong with the text first, with its place.
    public func reparsed(_ bytes: RawSpan) throws(JSONSyntaxError) -> JSONDocument {
        if bytes.withUnsafeBytes({ hasText($0) }) { return self }
        let fresh = try JSONDocument(parsing: bytes, options: options)
        // What the value of this version keeps alive may grow to one and a half times the text before it is let go.
        let room = fresh.source.count * 3 / 2 - pinnedBytes
        guard let grafted = Graft.onto(value, fresh.value, copying: room) else { return fresh }
        return JSONDocument(fresh, grafted.value, pinnedBytes: pinnedBytes + grafted.copiedBytes)
    }

    /// Reads the next version of this text, in which what did not change keeps its identity.
    ///
    /// - Throws: what is wrong with the text first, with its place.
    public func reparsed(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument { try reparsed(bytes.span.bytes) }

    /// Reads the next version of this text, in which what did not change keeps its identity.
    ///
    /// - Throws: what is wrong with the text first, with its place.
    public func reparsed(_ text: String) throws(JSONSyntaxError) -> JSONDocument { try reparsed(text.utf8.span.bytes) }

    private func hasText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == source.count, let start = bytes.baseAddress else { return bytes.count == source.count }
        return equalBytes(start.assumingMemoryBound(to: UInt8.self), slice.start, bytes.count)
    }

    private init(_ fresh: JSONDocument, _ grafted: JSON, pinnedBytes: Int) {
        slice = fresh.slice
        value = grafted
        options = fresh.options
        warnings = fresh.warnings
        self.pinnedBytes = pinnedBytes
    }

    /// The document that a revision of the value makes.
    func revised(by revision: Revision) throws(JSONEditError) -> JSONDocument {
        defer { extendLifetime(source) }
        var revision = revision
        let pinnedBytes = try pinnedBytes + revision.settle(depthLimit: options.depthLimit)
        let edits = TextEditor.edits(for: revision, in: source.bytes, hasRepeatedKeys: !warnings.isEmpty)
        let text = source.edited(by: edits)
        guard text.count <= options.sizeLimit else { throw JSONEditError(.size, JSONPointer()) }
        if pinnedBytes > text.count * 3 / 2, let fresh = try? JSONDocument(scanning: text, options) { return fresh }
        return JSONDocument(text, of: revision.applied(to: value), after: self, pinnedBytes: pinnedBytes)
    }

    private init(_ text: Source, of value: JSON, after before: JSONDocument, pinnedBytes: Int) {
        slice = TextSlice(text)
        self.value = value
        options = before.options
        warnings = before.warnings.isEmpty ? [] : RepeatedKeys.warnings(in: text)
        self.pinnedBytes = pinnedBytes
    }
}

extension JSONDocument {
    /// The bytes of the text, with its byte-order mark, comments and line ends as they were.
    public var bytes: [UInt8] { Array(source.bytes) }

    /// The text, with its byte-order mark, comments and line ends as they were.
    public var text: String { String(decoding: source.bytes, as: UTF8.self) }

    /// Calls `body` with the bytes of the text, without a copy. They must not be used afterwards.
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        defer { extendLifetime(source) }
        return try body(source.bytes)
    }

    /// Whether the text begins with a byte-order mark.
    public var hasByteOrderMark: Bool { source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) }
}

extension JSON {
    /// Reads a text whose layout does not matter.
    ///
    /// - Throws: what is wrong with the text first, with its place.
    public init(parsing text: String, dialect: JSONDocument.Dialect = .jsonc) throws(JSONSyntaxError) {
        self = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect)).value
    }

    /// Reads a text whose layout does not matter.
    ///
    /// - Throws: what is wrong with the text first, with its place.
    public init(parsing bytes: [UInt8], dialect: JSONDocument.Dialect = .jsonc) throws(JSONSyntaxError) {
        self = try JSONDocument(parsing: bytes, options: JSONDocument.Options(dialect: dialect)).value
    }
}
