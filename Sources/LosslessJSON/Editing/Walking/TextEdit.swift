/// Other bytes for a part of a text.
struct TextEdit {
    let range: Range<Int>
    let replacement: [UInt8]
}

extension Page where Element == UInt8 {
    /// The text with its edits made, which are in order and do not overlap, for a scanner to run over.
    func edited(by edits: [TextEdit]) -> Source {
        let count = edits.reduce(count) { $0 + $1.replacement.count - $1.range.count }
        return Source.make(count, room: Source.padding) { start in
            var (to, from) = (start, 0)
            func append(_ bytes: UnsafeBufferPointer<UInt8>) {
                if let first = bytes.baseAddress { to.initialize(from: first, count: bytes.count) }
                to += bytes.count
            }
            for edit in edits {
                append(UnsafeBufferPointer(rebasing: bytes[from..<edit.range.lowerBound]))
                edit.replacement.withUnsafeBufferPointer(append)
                from = edit.range.upperBound
            }
            append(UnsafeBufferPointer(rebasing: bytes[from...]))
            to.initialize(repeating: 0, count: Source.padding)
        }
    }
}
