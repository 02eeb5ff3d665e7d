/// The bytes of a text, in memory that a document keeps, so that parsing does not copy them.
package struct JSONText: @unchecked Sendable {  // a source never changes once it is filled
    let source: Source

    package init(copying bytes: [UInt8]) { source = bytes.withUnsafeBytes { Source.scannable($0) } }

    package func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        defer { extendLifetime(source) }
        return body(UnsafeRawBufferPointer(source.bytes))
    }

    /// Memory for the bytes of a text.
    package struct Memory {
        private let source: Source
        package let bytes: UnsafeMutableRawBufferPointer

        package init(capacity: Int) {
            source = Source.scannable(capacity: capacity)
            bytes = UnsafeMutableRawBufferPointer(start: source.elements, count: capacity)
        }

        /// The text of the first `count` bytes, which have been written. They must not be written again.
        package func text(count: Int) -> JSONText {
            source.endScannable(at: count)
            return JSONText(source)
        }
    }

    private init(_ source: Source) { self.source = source }
}

extension JSONDocument {
    /// Parses a text without copying it.
    package init(parsing text: JSONText, options: Options = Options()) throws(JSONSyntaxError) {
        defer { extendLifetime(text.source) }
        try self.init(parsing: UnsafeRawBufferPointer(text.source.bytes), in: text.source, options)
    }

    /// Whether this is the same version of a text, because nothing had changed when it was parsed again.
    package func hasSameStorage(as other: JSONDocument) -> Bool { source === other.source }

    /// Parses the next version of this text without copying it; unchanged parts keep their identity.
    package func reparsed(_ text: JSONText) throws(JSONSyntaxError) -> JSONDocument {
        defer { extendLifetime(text.source) }
        return try reparsed(UnsafeRawBufferPointer(text.source.bytes), in: text.source)
    }
}
