/// The contents of a JSON string.
///
/// Up to fourteen bytes are stored inline; longer contents are a slice of the parsed text. Escapes are decoded on
/// access, so a string that is never read costs nothing.
public struct JSONString: Sendable {
    let text: Text

    init(text: Text) { self.text = text }

    /// Creates a string with the contents of `string`, scalar for scalar.
    public init(_ string: String) { text = Text(string) }

    /// The decoded contents.
    public var string: String { text.string }
}

extension JSONString: Hashable {
    /// Whether two strings have the same decoded bytes: composed and decomposed forms of a letter differ.
    public static func == (a: JSONString, b: JSONString) -> Bool { Text.sameString(a.text, b.text) }

    /// Hashes the decoded bytes.
    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

extension JSONString: ExpressibleByStringLiteral, CustomStringConvertible {
    /// A string.
    public init(stringLiteral value: String) { self.init(value) }

    /// The decoded contents.
    public var description: String { string }
}

extension Text {
    @inline(never)  // inlined, its variables would occupy the stack at every level of a recursion
    func hash(into hasher: inout Hasher) {
        withBytes { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            hasher.combine(0xFF as UInt8)  // no UTF-8 has it, so neighbors cannot run together
        }
    }
}
