/// Sanitizes untrusted text for terminals and log lines.
///
/// Keys, values, file names and messages of other programs pass through here before they become part of a message.
/// Characters that are invisible, or that a terminal interprets instead of showing, become U+FFFD: control characters
/// (C0, DEL, C1), line and paragraph separators, direction marks, zero-width characters, variation selectors and tags,
/// and scalars that are unassigned, noncharacters or for private use. A tab becomes a space. Letters of all scripts
/// remain, including those written from right to left and those that resemble others.
extension Unicode.Scalar {
    /// Whether a terminal shows the scalar as itself.
    package var isVisible: Bool {
        if isASCII { return (0x20..<0x7F).contains(value) }  // looking properties up is slow
        let properties = properties
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
        default: return !properties.isDefaultIgnorableCodePoint
        }
    }

    /// The scalar itself, or its replacement in a message.
    package var visible: Unicode.Scalar { isVisible ? self : self == "\t" ? " " : "\u{FFFD}" }
}

extension String {
    /// The text on one line, with every invisible scalar replaced.
    package var visible: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map(\.visible)))
    }

    /// The sanitized text, truncated to `count` scalars; an ellipsis replaces the rest.
    package func visible(upTo count: Int) -> String {
        guard utf8.count > count else { return visible }
        let beginning = unicodeScalars.prefix(count)
        if beginning.endIndex == unicodeScalars.endIndex { return visible }
        return String(beginning.dropLast()).visible + "…"
    }

    /// The sanitized text with its line feeds kept.
    package var visibleLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }.joined(separator: "\n")
    }

    /// An equivalent JSON text in which every invisible scalar except line feed is escaped.
    package var escapingInvisible: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return self }
        var escaped = ""
        for scalar in unicodeScalars {
            if scalar.isVisible || scalar == "\n" {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped += scalar.escape
            }
        }
        return escaped
    }
}

extension Unicode.Scalar {
    /// The scalar as a JSON escape; beyond U+FFFF, as two.
    fileprivate var escape: String {
        UTF16.encode(self)!.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
