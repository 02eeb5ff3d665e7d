/// A whole screen of text, as computed by ``ViewState`` and drawn by ``Screen``.
struct Frame: Equatable {
    /// The lines, from the top, at most as many as the screen has.
    var lines: [StyledLine] = []
    /// When it looks different although nothing happens, because a highlight ends; nil for never.
    var expiry: ContinuousClock.Instant?

    /// The lines without styles and trailing spaces.
    var text: [String] { lines.map(\.text) }
}

/// A line of a frame.
struct StyledLine: Equatable {
    struct Span: Equatable {
        var text: String
        var style: Style
    }

    var spans: [Span]

    init(_ text: String = "", _ style: Style = .plain) { spans = text.isEmpty ? [] : [Span(text: text, style: style)] }

    mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { spans.append(Span(text: text, style: style)) }
    }

    var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

    var text: String {
        var text = spans.map(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The line in exactly `width` columns; `style` is that of the added spaces.
    func fitted(to width: Int, _ style: Style = .plain) -> StyledLine {
        var (line, used) = (StyledLine(), 0)
        for span in spans {
            let text = span.text.shortened(to: width - used)
            line.append(text, span.style)
            used += text.columns
            if text != span.text { break }
        }
        line.append(String(repeating: " ", count: max(0, width - used)), style)
        return line
    }

    func underlined() -> StyledLine {
        var line = self
        for index in line.spans.indices { line.spans[index].style.isUnderlined = true }
        return line
    }

    /// The line with reversed foreground and background, in one style.
    func reversed(isBold: Bool = false) -> StyledLine {
        var line = self
        for index in line.spans.indices {
            line.spans[index].style.isReversed = true
            line.spans[index].style.isDim = false
            if isBold { line.spans[index].style.isBold = true }
        }
        return line
    }
}

/// How text looks. Without colors, the other attributes remain.
struct Style: Hashable {
    enum Color: Int16 {
        case red = 1
        case green, yellow
    }

    var color: Color?
    var isBold = false
    var isDim = false
    var isReversed = false
    var isUnderlined = false

    static let plain = Style()
    static let bold = Style(isBold: true)
    static let dim = Style(isDim: true)
}
