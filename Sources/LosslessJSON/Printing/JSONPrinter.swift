/// Writes a value as text.
///
/// Numbers and strings come out as they were spelled. Text that has its own layout is edited rather than printed;
/// this is for new files, for messages and for other programs.
public struct JSONPrinter: Sendable {
    /// How the text is laid out.
    public enum Layout: Sendable {
        /// One member or element a line, two spaces deeper than its container, with short arrays of scalars on one
        /// line and a line end behind the value: a file for people.
        case lines
        /// Everything on one line without a space: a message for programs.
        case compact
    }

    /// How the text is laid out.
    public var layout: Layout

    /// How long a line with an array of scalars may become.
    public var lineWidth = 80

    /// Prints in a layout.
    public init(layout: Layout = .lines) { self.layout = layout }

    /// The text of `value`.
    public func string(_ value: JSON) -> String { String(decoding: bytes(value), as: UTF8.self) }

    /// The text of `value`, in UTF-8.
    public func bytes(_ value: JSON) -> [UInt8] {
        switch layout {
        case .compact: return Print.of(value, in: .compact)
        case .lines:
            let style = PrintStyle(lines: PrintStyle.Lines(), lineWidth: lineWidth)
            return Print.of(value, in: style) + [UInt8(ascii: "\n")]
        }
    }
}
