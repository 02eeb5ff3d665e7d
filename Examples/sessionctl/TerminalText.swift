extension String {
    /// With a replacement for everything that a terminal might obey instead of showing it: control characters, line
    /// ends and direction marks.
    var visible: String { String(String.UnicodeScalarView(unicodeScalars.map(\.visible))) }

    /// The same for a text of several lines.
    var visibleLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }.joined(separator: "\n")
    }

    /// At most so many characters, with an ellipsis for the rest.
    func shortened(to count: Int) -> String {
        let beginning = unicodeScalars.prefix(count)
        return beginning.endIndex == unicodeScalars.endIndex ? self : String(beginning) + "…"
    }
}

extension Unicode.Scalar {
    fileprivate var visible: Unicode.Scalar {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: self
        }
    }
}
