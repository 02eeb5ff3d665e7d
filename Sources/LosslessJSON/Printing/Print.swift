/// One text in the making.
struct Print {
    private var output: [UInt8] = []
    private let style: PrintStyle
    private var lineStart: Int

    /// The text of `value`.
    static func of(_ value: JSON, in style: PrintStyle) -> [UInt8] {
        var print = Print(style)
        print.append(value, depth: 0)
        return print.output
    }

    /// The text of a key, with the colon behind it.
    static func of(key: Text, _ spacing: Spacing) -> [UInt8] {
        var print = Print(.compact)
        print.append(key)
        print.append(spacing.colon)
        return print.output
    }

    private init(_ style: PrintStyle) {
        self.style = style
        lineStart = -(style.lines?.column ?? 0)
    }

    private mutating func append(_ value: JSON, depth: Int) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .number(let number): number.text.withStoredBytes { output.append(contentsOf: $0) }
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
            separate(&isFirst, depth + 1)
            append(copy element, depth: depth + 1)
        }
        if !isFirst { endLine(depth) }
        append("]")
    }

    private mutating func append(_ object: JSONObject, _ depth: Int) {
        let isPadded = style.lines == nil && style.spacing.behindColon && !object.isEmpty
        append(isPadded ? "{ " : "{")
        var isFirst = true
        object.forEachMember { key, value in
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
        for _ in 0..<depth { output.append(contentsOf: lines.unit) }
    }

    /// A few scalars that fit on the line that was begun, with the bracket and the comma behind them.
    private func oneLine(_ array: JSONArray, isRoot: Bool) -> [UInt8]? {
        guard style.lines != nil, !array.isEmpty, array.count <= style.lineWidth / 2 else { return nil }
        let room = style.lineWidth - (output.count - lineStart) - (isRoot ? 1 : 2)
        var line = Print(.compact)
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
