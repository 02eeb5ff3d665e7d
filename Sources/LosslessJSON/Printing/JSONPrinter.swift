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
        var run = Run(lineWidth: layout == .lines ? lineWidth : nil)
        run.append(value, indentation: 0)
        if layout == .lines { run.output.append(UInt8(ascii: "\n")) }
        return run.output
    }
}

extension JSONPrinter {
    /// One text in the making.
    private struct Run {
        var output: [UInt8] = []
        /// nil prints everything on one line.
        let lineWidth: Int?
        private var lineStart = 0

        init(lineWidth: Int?) { self.lineWidth = lineWidth }

        mutating func append(_ value: JSON, indentation: Int) {
            switch value {
            case .null: append("null")
            case .bool(let bool): append(bool ? "true" : "false")
            case .number(let number): number.text.withStoredBytes { output.append(contentsOf: $0) }
            case .string(let string): append(string.text)
            case .array(let array): append(array, indentation)
            case .object(let object): append(object, indentation)
            }
        }

        private mutating func append(_ token: StaticString) {
            token.withUTF8Buffer { output.append(contentsOf: $0) }
        }

        private mutating func append(_ text: Text) {
            append("\"")
            let isEscaped = text.isEscaped
            text.withStoredBytes { bytes in
                if isEscaped { output.append(contentsOf: bytes) } else { Escapes.appendEncoded(bytes, to: &output) }
            }
            append("\"")
        }

        private mutating func append(_ array: JSONArray, _ indentation: Int) {
            if let line = oneLine(array, isRoot: indentation == 0) {
                output.append(contentsOf: line)
                return
            }
            append("[")
            var isFirst = true
            array.forEachElement { element in
                separate(&isFirst, indentation + 1)
                append(copy element, indentation: indentation + 1)
            }
            if !isFirst { endLine(indentation) }
            append("]")
        }

        private mutating func append(_ object: JSONObject, _ indentation: Int) {
            append("{")
            var isFirst = true
            object.forEachMember { key, value in
                separate(&isFirst, indentation + 1)
                append(copy key)
                append(lineWidth == nil ? ":" : ": ")
                append(copy value, indentation: indentation + 1)
            }
            if !isFirst { endLine(indentation) }
            append("}")
        }

        private mutating func separate(_ isFirst: inout Bool, _ indentation: Int) {
            if !isFirst { append(",") }
            isFirst = false
            endLine(indentation)
        }

        private mutating func endLine(_ indentation: Int) {
            guard lineWidth != nil else { return }
            append("\n")
            lineStart = output.count
            output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indentation))
        }

        /// A few scalars that fit on the line that was begun, with the bracket and the comma behind them.
        private func oneLine(_ array: JSONArray, isRoot: Bool) -> [UInt8]? {
            guard let lineWidth, !array.isEmpty, array.count <= lineWidth / 2 else { return nil }
            let room = lineWidth - (output.count - lineStart) - (isRoot ? 1 : 2)
            var line = Run(lineWidth: nil)
            line.append("[")
            for (index, element) in array.enumerated() {
                switch element {
                case .array, .object: return nil
                default: break
                }
                if index > 0 { line.append(", ") }
                line.append(element, indentation: 0)
                if line.output.count > room { return nil }
            }
            line.append("]")
            return line.output
        }
    }
}
