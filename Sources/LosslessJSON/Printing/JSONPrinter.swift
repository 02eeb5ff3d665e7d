/// Serializes a value to text.
///
/// Numbers and strings keep their spelling. Use it for new files, messages and other programs; a text that has its own
/// layout should be edited instead.
public struct JSONPrinter: Sendable {
    /// A layout of the text.
    public enum Layout: Sendable {
        /// One member or element per line, indented by two spaces per level, with short arrays of scalars on one line
        /// and a line end after the value: for files that people read.
        case lines
        /// One line without spaces: for messages between programs.
        case compact
    }

    /// The layout of the text.
    public var layout: Layout

    /// The maximum length of a line with an array of scalars.
    public var lineWidth = 80

    /// Creates a printer.
    public init(layout: Layout = .lines) { self.layout = layout }

    /// The text of `value`.
    public func string(_ value: JSON) -> String { String(decoding: bytes(value), as: UTF8.self) }

    /// The text of `value`, in UTF-8.
    public func bytes(_ value: JSON) -> [UInt8] { bytes(value, stoppingAfter: PrinterState.unlimited) }

    /// The text of `value`, or a prefix longer than `limit` bytes if it exceeds that.
    package func bytes(_ value: JSON, stoppingAfter limit: Int) -> [UInt8] {
        switch layout {
        case .compact: return PrinterState.print(value, in: .compact, stoppingAfter: limit)
        case .lines:
            let style = PrintStyle(lines: PrintStyle.Lines(), lineWidth: lineWidth)
            return PrinterState.print(value, in: style, stoppingAfter: limit) + [UInt8(ascii: "\n")]
        }
    }
}

/// The line breaks and spacing of a printed value.
struct PrintStyle {
    /// nil prints everything on one line.
    var lines: Lines?
    var spacing = Spacing()

    /// The maximum length of a line with an array of scalars.
    var lineWidth = 80

    struct Lines {
        var newline: [UInt8] = [0x0A]
        /// The indentation of the line on which the value starts.
        var indentation: [UInt8] = []
        /// The additional indentation of each level.
        var indentUnit: [UInt8] = [0x20, 0x20]
        /// The column at which the value starts on its line.
        var column = 0
    }

    static let compact = PrintStyle(lines: nil, spacing: .none)
}

/// The spaces around colons, and after commas that are followed by an item on the same line.
struct Spacing {
    var beforeColon = false
    var afterColon = true
    var afterComma = true

    static let none = Spacing(beforeColon: false, afterColon: false, afterComma: false)

    var colon: StaticString {
        switch (beforeColon, afterColon) {
        case (false, false): ":"
        case (false, true): ": "
        case (true, false): " :"
        case (true, true): " : "
        }
    }

    var comma: StaticString { afterComma ? ", " : "," }
}
