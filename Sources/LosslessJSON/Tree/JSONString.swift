/// The contents of a JSON string.
///
/// Up to fourteen bytes stand in place, longer contents are a slice of the file they came from. Escapes are decoded
/// when the text is asked for, so a string that nobody reads costs nothing.
public struct JSONString: Sendable {
    let text: Text

    init(text: Text) { self.text = text }

    /// The contents of `string`, scalar for scalar.
    public init(_ string: String) { text = Text(string) }

    /// The text, decoded.
    public var string: String { text.string }
}

extension JSONString: Hashable {
    /// Whether two strings have the same bytes: composed and decomposed forms of a letter differ.
    public static func == (a: JSONString, b: JSONString) -> Bool { Text.sameString(a.text, b.text) }

    /// Feeds the decoded bytes to a hasher.
    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

extension JSONString: ExpressibleByStringLiteral, CustomStringConvertible {
    /// A string.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text, decoded.
    public var description: String { string }
}

extension Text {
    @inline(never)  // whoever walks down a tree would have its variables on the stack at every level
    func hash(into hasher: inout Hasher) {
        withBytes { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            hasher.combine(0xFF as UInt8)  // no UTF-8 has it, so neighbours cannot run together
        }
    }
}
