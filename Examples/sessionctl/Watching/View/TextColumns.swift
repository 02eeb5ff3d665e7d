import CLinux
import Glibc
import VisibleText

/// Measures and fits text in columns of a terminal, as the C library counts them in the current locale.
///
/// East Asian and emoji characters take two columns, combining marks none. Text must be sanitized before.
extension String {
    /// The number of columns.
    var columns: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return unicodeScalars.reduce(0) { $0 + $1.columns }
    }

    /// The text in exactly `width` columns: filled up with spaces, or with an ellipsis instead of what is too much.
    func fitted(to width: Int) -> String {
        let shortened = shortened(to: width)
        return shortened + String(repeating: " ", count: max(0, width - shortened.columns))
    }

    /// The text in at most `width` columns, with an ellipsis instead of what is too much.
    func shortened(to width: Int) -> String {
        if columns <= width { return self }
        return width > 0 ? prefix(columns: width - 1) + "…" : ""
    }

    /// The longest beginning of at most `width` columns. Does not separate combining marks from their letter.
    func prefix(columns width: Int) -> String {
        var (end, used) = (unicodeScalars.startIndex, 0)
        while end < unicodeScalars.endIndex {
            used += unicodeScalars[end].columns
            if used > width { break }
            end = unicodeScalars.index(after: end)
        }
        return String(unicodeScalars[..<end])
    }

    /// The rest after the first `count` columns; a space replaces the half of a wide character.
    func dropping(columns count: Int) -> String {
        let beginning = prefix(columns: count)
        var rest = unicodeScalars.dropFirst(beginning.unicodeScalars.count)
        if beginning.columns == count || rest.isEmpty { return String(rest) }
        rest.removeFirst()
        return " " + String(rest)
    }

    /// Lines of at most `width` columns, broken at spaces where possible.
    func wrapped(to width: Int) -> [String] {
        var (lines, rest) = ([String](), self)
        while rest.columns > width, width > 0 {
            let beginning = rest.prefix(columns: width)
            if beginning.isEmpty { break }
            let atSpace = beginning.lastIndex(of: " ").map { String(beginning[..<$0]) }
            // A very short line looks worse than a broken word.
            let line = atSpace.flatMap { $0.columns * 2 > width ? $0 : nil } ?? beginning
            lines.append(line)
            rest = String(rest.unicodeScalars.dropFirst(line.unicodeScalars.count))
            if rest.first == " " { rest.removeFirst() }
        }
        return lines + [rest]
    }

    /// The sanitized text, with only characters that the C library can measure.
    var measurable: String {
        let visible = visible
        if visible.unicodeScalars.allSatisfy({ $0.isASCII || clinux_columns($0.wide) >= 0 }) { return visible }
        return String(
            String.UnicodeScalarView(visible.unicodeScalars.map { clinux_columns($0.wide) < 0 ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    /// The number of columns; one for a character that the C library does not know.
    var columns: Int {
        if isASCII { return 1 }
        let width = clinux_columns(wide)
        return width < 0 ? 1 : Int(width)
    }

    fileprivate var wide: wchar_t { wchar_t(value) }
}

/// The character encoding of the terminal.
enum CharacterLocale {
    /// Selects the user's locale for characters; C.UTF-8 if its encoding is not UTF-8.
    static func select() {
        let isUnicode =
            setlocale(LC_CTYPE, "") != nil && nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
        if !isUnicode { setlocale(LC_CTYPE, "C.UTF-8") }
    }
}
