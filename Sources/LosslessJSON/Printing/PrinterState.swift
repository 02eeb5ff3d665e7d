/// The state of one print operation.
struct PrinterState {
    private var output: [UInt8] = []
    private let style: PrintStyle
    private var lineStart: Int
    private let limit: Int

    /// The text of `value`, or a prefix longer than `limit` bytes if it exceeds that.
    static func print(_ value: JSON, in style: PrintStyle, stoppingAfter limit: Int = unlimited) -> [UInt8] {
        var printer = PrinterState(style, limit)
        printer.append(value, depth: 0)
        return printer.output
    }

    static let unlimited = Int.max - 1

    /// The text of a key and its colon.
    static func printKey(_ key: Text, _ spacing: Spacing) -> [UInt8] {
        var printer = PrinterState(.compact)
        printer.append(key)
        printer.append(spacing.colon)
        return printer.output
    }

    private init(_ style: PrintStyle, _ limit: Int = unlimited) {
        (self.style, self.limit) = (style, limit)
        lineStart = -(style.lines?.column ?? 0)
    }

    private var isFull: Bool { output.count > limit }

    /// The prefix of `bytes` that is just long enough to exceed the limit.
    private func fitting(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes.prefix(max(0, limit - output.count + 1)))
    }

    private mutating func append(_ value: JSON, depth: Int) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .number(let number): number.text.withStoredBytes { output.append(contentsOf: fitting($0)) }
        case .string(let string): append(string.text)
        case .array(let array): append(array, depth)
        case .object(let object): append(object, depth)
        }
    }

    private mutating func append(_ token: StaticString) {
        token.withUTF8Buffer { output.append(contentsOf: $0) }
    }

    private mutating func append(_ text: Text) {
        append("\"")
        let isEscaped = text.isEscaped
        text.withStoredBytes { bytes in
            let bytes = fitting(bytes)
            if isEscaped { output.append(contentsOf: bytes) } else { Escapes.appendEncoded(bytes, to: &output) }
        }
        append("\"")
    }

    private mutating func append(_ array: JSONArray, _ depth: Int) {
        if let line = oneLine(array, isRoot: depth == 0) {
            output.append(contentsOf: line)
            return
        }
        append("[")
        var isFirst = true
        array.forEachElement { element in
            if isFull { return }
            separate(&isFirst, depth + 1)
            append(copy element, depth: depth + 1)
        }
        if !isFirst { endLine(depth) }
        append("]")
    }

    private mutating func append(_ object: JSONObject, _ depth: Int) {
        let isPadded = style.lines == nil && style.spacing.afterColon && !object.isEmpty
        append(isPadded ? "{ " : "{")
        var isFirst = true
        object.forEachMember { key, value in
            if isFull { return }
            separate(&isFirst, depth + 1)
            append(copy key)
            append(style.spacing.colon)
            append(copy value, depth: depth + 1)
        }
        if !isFirst { endLine(depth) }
        append(isPadded ? " }" : "}")
    }

    private mutating func separate(_ isFirst: inout Bool, _ depth: Int) {
        if !isFirst { append(style.lines == nil ? style.spacing.comma : ",") }
        isFirst = false
        endLine(depth)
    }

    private mutating func endLine(_ depth: Int) {
        guard let lines = style.lines else { return }
        output.append(contentsOf: lines.newline)
        lineStart = output.count
        output.append(contentsOf: lines.indentation)
        for _ in 0..<depth { output.append(contentsOf: lines.indentUnit) }
    }

    /// The text of a short array of scalars, if it fits on the current line with its bracket and a comma.
    private func oneLine(_ array: JSONArray, isRoot: Bool) -> [UInt8]? {
        guard style.lines != nil, !array.isEmpty, array.count <= style.lineWidth / 2 else { return nil }
        let room = style.lineWidth - (output.count - lineStart) - (isRoot ? 1 : 2)
        var line = PrinterState(.compact, max(room, 0))
        line.append("[")
        for (index, element) in array.enumerated() {
            if element.isContainer { return nil }
            if index > 0 { line.append(style.spacing.comma) }
            line.append(element, depth: 0)
            if line.output.count > room { return nil }
        }
        line.append("]")
        return line.output
    }
}
